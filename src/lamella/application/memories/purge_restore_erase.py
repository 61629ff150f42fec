"""Purging, restoring and erasing: what changes the memories that are already there."""

from collections.abc import Callable, Sequence
from uuid import UUID

from attrs import define, field, frozen

from lamella.application.memories.resolve_ids import Resolved, resolve
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import MAX_ECHO_CHARACTERS, ObservationNotFoundError
from lamella.domain.memories.observation import Observation, full_id
from lamella.domain.text.printing import printed_line
from lamella.ports.spool import Spool
from lamella.ports.storage.observations import Change, ObservationStorage
from lamella.ports.system import Clock


@frozen(kw_only=True)
class ChangeOutcome:
    """The observations that were changed, and why each of the others was not, by the id that was given."""

    changed: tuple[Observation, ...] = ()
    failures: dict[str, str] = field(factory=dict)

    @property
    def asked(self) -> int:
        """How many different ids were given."""
        return len(self.changed) + len(self.failures)

    def report(self, done: str) -> list[str]:
        """What happened, in lines: how many were `done` (`Purged`), then each failure with its reason."""
        count = f"{done} {len(self.changed)}/{self.asked} memories."
        told = ((printed_line(id[:MAX_ECHO_CHARACTERS]), printed_line(why)) for id, why in self.failures.items())
        return [count, *(f"{id}: {why}" for id, why in told)]


@define
class PurgeMemories:
    """Takes memories out of search until they are restored."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, ids: Sequence[str]) -> ChangeOutcome:
        """Purges each, in one transaction; one that fails never stops the others."""
        storage = self.projects.find(call).observations
        return _each(storage, ids, lambda found: storage.purge(found, now=self.clock.now()), "already purged")


@define
class ForgetMemory:
    """Purges the one memory that a full id names."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, id: str) -> Change:
        """`Change.DONE`, or `Change.ALREADY` where it was purged before.

        Raises:
            ObservationNotFoundError: there is none.
        """
        storage, whole = self.projects.find(call).observations, full_id(id)
        change = Change.NOT_FOUND
        if whole is not None:
            (change,) = storage.purge([whole], now=self.clock.now())
        if change is Change.NOT_FOUND:
            raise ObservationNotFoundError(id=id)
        return change


@define
class RestoreMemories:
    """Puts purged memories back."""

    projects: ProjectResolver
    clock: Clock

    def __call__(self, call: Call, ids: Sequence[str]) -> ChangeOutcome:
        """Restores each, in one transaction; one that fails never stops the others."""
        storage = self.projects.find(call).observations
        return _each(storage, ids, lambda found: storage.restore(found, now=self.clock.now()), "not purged")


@define
class EraseMemories:
    """Deletes memories for good. Never offered to an agent."""

    projects: ProjectResolver
    spool: Spool

    def preview(self, call: Call, ids: Sequence[str]) -> Resolved:
        """The memories that `ids` mean, purged or not, before anything is done to them."""
        return resolve(ids, self.projects.find(call).observations)

    def __call__(self, call: Call, ids: Sequence[str]) -> ChangeOutcome:
        """Erases each; when this returns no byte of them is left in any file of the storage.

        Nor does what their sessions last said of the reason for a change wait for the next one.

        Raises:
            UnfinishedEraseError: the memories are gone, but their bytes may still stand in a file.
        """
        storage = self.projects.find(call).observations
        outcome = _each(storage, ids, storage.erase, "not found")
        for session in {each.session for each in outcome.changed if each.session is not None}:
            self.spool.forget_reason(session)
        return outcome


def _each(
    storage: ObservationStorage,
    given: Sequence[str],
    change: Callable[[Sequence[UUID]], Sequence[Change]],
    already: str,
) -> ChangeOutcome:
    resolved = resolve(given, storage)
    results = change([observation.id for observation in resolved.found.values()])
    changed: list[Observation] = []
    failures = dict.fromkeys(resolved.missing, "not found")
    for prefix, candidates in resolved.ambiguous.items():
        failures[prefix] = f"ambiguous: {'; '.join(map(str, candidates))}"
    for (prefix, observation), result in zip(resolved.found.items(), results, strict=True):
        if result is Change.DONE:
            changed.append(observation)
        else:
            failures[prefix] = already if result is Change.ALREADY else "not found"
    in_order = {one: failures[one] for one in dict.fromkeys(each.strip() for each in given) if one in failures}
    return ChangeOutcome(changed=tuple(changed), failures=in_order)

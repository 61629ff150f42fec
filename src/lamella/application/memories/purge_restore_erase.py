"""Purge, restore and erase memories."""

from collections.abc import Callable, Sequence
from uuid import UUID

from attrs import define, field, frozen

from lamella.application.memories.resolve_ids import Resolved, resolve_in_places
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import MAX_ECHO_CHARACTERS, printed_line
from lamella.ports.shared_folder import SharedFolders
from lamella.ports.spool import Spool
from lamella.ports.storage.observations import ObservationStorage, StatusChange

ALREADY_PURGED = "already purged"
"""The reason why a purge didn't change a memory that is purged."""


@frozen(kw_only=True)
class StatusChangeOutcome:
    """Result for several memories.

    Attributes:
        changed: The observations that were changed.
        failures: Reasons why others were not changed, by the id that was given.
    """

    changed: tuple[Observation, ...] = ()
    failures: dict[str, str] = field(factory=dict)

    def report(self, done: str) -> list[str]:
        """Return lines: how many were `done` (such as `Purged`), then each failure with its reason."""
        count = f"{done} {len(self.changed)}/{len(self.changed) + len(self.failures)} memories."
        told = ((printed_line(id[:MAX_ECHO_CHARACTERS]), printed_line(why)) for id, why in self.failures.items())
        return [count, *(f"{id}: {why}" for id, why in told)]


@define
class PurgeMemories:
    """Take memories out of search until they are restored."""

    projects: ProjectResolver

    def __call__(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Purge memories in one transaction for each project. A failure never stops the others.

        Args:
            call: The context.
            ids: Full ids, or beginnings of at least four characters.

        Raises:
            UnknownProjectError: There is no such project.
            StorageError: Nothing was purged.
        """
        return _each(
            self.projects,
            call,
            ids,
            lambda storage, found: storage.purge(found, by=self.projects.signature(call)),
            ALREADY_PURGED,
        )


@define
class RestoreMemories:
    """Restore purged memories."""

    projects: ProjectResolver

    def __call__(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Restore memories in one transaction for each project. A failure never stops the others.

        Args:
            call: The context.
            ids: Full ids, or beginnings of at least four characters.

        Raises:
            UnknownProjectError: There is no such project.
            StorageError: Nothing was restored.
        """
        return _each(
            self.projects,
            call,
            ids,
            lambda storage, found: storage.restore(found, by=self.projects.signature(call)),
            "not purged",
        )


@define
class EraseMemories:
    """Delete memories for good. Never offered to an agent."""

    projects: ProjectResolver
    spool: Spool
    shared_folder: SharedFolders

    def preview(self, call: Call, ids: Sequence[str]) -> Resolved:
        """Return the memories that would be erased, purged or not, without changing them."""
        return resolve_in_places(ids, self.projects.find(call))

    def __call__(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Erase memories. When this returns, nothing can read them any more.

        With `Capability.ERASE_BYTES` no byte of them is left in any file of the storage either.

        The noted reasons for the next changes of their sessions are deleted too: they may quote the memories. So
        are their files in a shared folder.

        Args:
            call: The context.
            ids: Full ids, or beginnings of at least four characters.

        Raises:
            UnfinishedEraseError: The memories are gone, but bytes of them may remain.
        """
        outcome = _each(
            self.projects,
            call,
            ids,
            lambda storage, found: storage.erase(found, by=self.projects.signature(call)),
            "not found",
        )
        for session in {each.session for each in outcome.changed if each.session is not None}:
            self.spool.forget_reason(session)
        for project in {each.project for each in outcome.changed}:
            self.shared_folder.erase(project, [each.id for each in outcome.changed])
        return outcome


def _each(
    projects: ProjectResolver,
    call: Call,
    given: Sequence[str],
    change: Callable[[ObservationStorage, Sequence[UUID]], Sequence[StatusChange]],
    already: str,
) -> StatusChangeOutcome:
    """Change memories of the project of a call, and others that hold in every project."""
    here = projects.find(call)
    resolved = resolve_in_places(given, here)
    changed: list[Observation] = []
    failures = dict.fromkeys(resolved.missing, "not found")
    for prefix, candidates in resolved.ambiguous.items():
        failures[prefix] = f"ambiguous: {'; '.join(map(str, candidates))}"
    for everywhere in (False, True):
        found = {prefix: hit for prefix, hit in resolved.found.items() if hit.everywhere is everywhere}
        place = (here.everywhere if everywhere and found else None) or here
        results = change(place.observations, [hit.observation.id for hit in found.values()]) if found else ()
        for (prefix, hit), result in zip(found.items(), results, strict=True):
            if result is StatusChange.DONE:
                changed.append(hit.observation)
            else:
                failures[prefix] = already if result is StatusChange.ALREADY else "not found"
    in_order = {one: failures[one] for one in dict.fromkeys(each.strip() for each in given) if one in failures}
    return StatusChangeOutcome(changed=tuple(changed), failures=in_order)

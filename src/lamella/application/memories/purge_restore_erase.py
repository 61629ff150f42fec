"""Purge, restore and erase memories."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar
from uuid import uuid4

from attrs import define, field, frozen

from lamella.application.memories.resolve_ids import resolve, resolve_in_places
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import Signature
from lamella.domain.call import Call
from lamella.domain.memories.given_ids import Resolved
from lamella.domain.memories.ids import too_short
from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import MAX_ECHO_CHARACTERS, printed_line
from lamella.domain.transactions.status import StatusChange, decide_given, look_for_given
from lamella.domain.validation import listed
from lamella.ports.shared_folder import SharedFolders
from lamella.ports.spool import Spool

ALREADY_PURGED = "already purged"
"""Reason why a purge leaves a purged memory unchanged."""


@frozen(kw_only=True)
class StatusChangeOutcome:
    """Outcome of purging, restoring or erasing memories.

    Attributes:
        changed: Changed observations.
        failures: Reasons why memories weren't changed, keyed by the given id.
        refused: In a dry run, the reason why the real run would change nothing; empty if it would change the
            memories. Always empty after a real run.
    """

    changed: tuple[Observation, ...] = ()
    failures: dict[str, str] = field(factory=dict)
    refused: str = ""

    def report(self, done: str) -> list[str]:
        """Return the lines of a report: the number of changed memories, then each failure.

        The first line begins with `done`, such as `Purged`.
        """
        count = f"{done} {len(self.changed)}/{len(self.changed) + len(self.failures)} memories."
        reasons = (
            (printed_line(id[:MAX_ECHO_CHARACTERS]), printed_line(why)) for id, why in self.failures.items()
        )
        return [count, *(f"{id}: {why}" for id, why in reasons)]


@define
class _ChangeStatus:
    """Base of the use cases that change the status of memories."""

    projects: ProjectResolver

    _purges: ClassVar[bool]
    _already: ClassVar[str]

    def __call__(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Purge or restore memories, in one transaction for the project, and in another for global memories.

        Errors about single ids are in the outcome.

        Args:
            call: Context of the call.
            ids: Full ids, or prefixes of at least four characters.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed, and nothing was changed.
        """
        change = partial(_set_status, purge=self._purges, by=self.projects.signature(call))
        here = self.projects.remembered(call) or self.projects.find(call)
        return change_each(here, ids, change, self._already)


@define
class PurgeMemories(_ChangeStatus):
    """Purge memories: hide them from search until they are restored."""

    _purges, _already = True, ALREADY_PURGED


@define
class RestoreMemories(_ChangeStatus):
    """Restore purged memories."""

    _purges, _already = False, "not purged"


@define
class EraseMemories:
    """Delete memories permanently. Agents can't call this use case."""

    projects: ProjectResolver
    spool: Spool
    shared_folder: SharedFolders

    def preview(self, call: Call, ids: Sequence[str]) -> Resolved:
        """Return the memories to erase, purged or not, without changing them."""
        return resolve_in_places(ids, self.projects.find(call))

    def __call__(self, call: Call, ids: Sequence[str]) -> StatusChangeOutcome:
        """Erase memories. Afterwards, nothing can read them.

        With `Capability.ERASE_BYTES`, no byte of them remains in any file of the storage.

        The files of these memories in a shared folder are deleted, too, except edited files. Hooks record the
        user's last prompt in a session as the reason of the next edits. This record is also deleted in the
        sessions of the erased memories, because the prompt may quote an erased memory.

        Args:
            call: Context of the call.
            ids: Full ids, or prefixes of at least four characters.

        Raises:
            UnfinishedEraseError: The memories are deleted, but their bytes may remain on disk.
        """
        change = partial(_erase, by=self.projects.signature(call))
        outcome = change_each(self.projects.find(call), ids, change, "not found")
        for session in {each.session for each in outcome.changed if each.session is not None}:
            self.spool.forget_reason(session)
        for project in {each.project for each in outcome.changed}:
            self.shared_folder.erase(project, [Cleaner().observation(each) for each in outcome.changed])
        return outcome


Changes = tuple[Resolved, Sequence[StatusChange]]
"""Result of a change in one project: the resolved ids, and the outcome for each found memory."""


def _set_status(here: ProjectContext, given: Sequence[str], *, purge: bool, by: Signature) -> Changes:
    decide = partial(decide_given, given, purge=purge, entry=uuid4(), by=by)
    return here.transact(look_for_given(given), decide)


def _erase(here: ProjectContext, given: Sequence[str], *, by: Signature) -> Changes:
    meant = resolve(given, here.observations)
    return meant, here.observations.erase(meant.ids, by=by) if meant.found else ()


def change_each(
    here: ProjectContext,
    given: Sequence[str],
    change: Callable[[ProjectContext, Sequence[str]], Changes],
    already: str,
) -> StatusChangeOutcome:
    """Change memories of a project. If the project lacks an id, look it up among global memories."""
    changed: list[Observation] = []
    failures: dict[str, str] = {}
    place: ProjectContext | None = here
    left = listed("ids", given)
    while left and place is not None:
        meant, results = change(place, left)
        failures |= meant.unclear
        for (prefix, hit), result in zip(meant.found.items(), results, strict=True):
            if result is StatusChange.DONE:
                changed.append(hit.observation)
            else:
                failures[prefix] = already if result is StatusChange.ALREADY else "not found"
        left = meant.missing
        place = place.everywhere if left else None
    failures |= {each: f"not found. {too_short(each)}".rstrip(". ") for each in left}
    in_order = {one: failures[one] for one in dict.fromkeys(each.strip() for each in given) if one in failures}
    return StatusChangeOutcome(changed=tuple(changed), failures=in_order)

"""Show who changed which memories, and when."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import Entry
from lamella.domain.call import Call
from lamella.ports.storage.audit import AuditTrail

DEFAULT_ENTRIES = 20
"""Entries that a log shows."""

_PAGE = 100


@frozen
class Logged:
    """Entry of the audit trail with its place among the others.

    Attributes:
        entry: The entry.
        undoes: Number of the entry that it takes back, if that is in the trail.
        undone_by: Number of the entry that takes it back and is in effect.
    """

    entry: Entry
    undoes: int | None = None
    undone_by: int | None = None


@define
class ShowLog:
    """List the changes of memories of a project."""

    projects: ProjectResolver

    def __call__(
        self, call: Call, *, limit: int = DEFAULT_ENTRIES, memory: UUID | None = None, names: int | None = None
    ) -> tuple[Logged, ...]:
        """Return the latest changes, newest first.

        Args:
            call: The context.
            limit: Most changes.
            memory: Return only changes of this memory.
            names: Most memories that an entry names of each kind; None for all.

        Raises:
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        shown: list[Entry] = []
        sought: set[UUID] = set()
        numbers: dict[UUID, int] = {}
        # Entries that were taken back are older than those that did.
        for entry in all_entries(self.projects.find(call).audit(), memory=memory, names=names):
            numbers[entry.id] = entry.number
            if len(shown) < limit:
                shown.append(entry)
                sought |= {entry.by.undoes} if entry.by.undoes else set()
            sought.discard(entry.id)
            if len(shown) >= limit and not sought:
                break
        undone = undone_by(shown)
        return tuple(
            Logged(each, numbers.get(each.by.undoes) if each.by.undoes else None, undone.get(each.id))
            for each in shown
        )


def all_entries(trail: AuditTrail, *, memory: UUID | None = None, names: int | None = None) -> Iterator[Entry]:
    """Yield the entries of a trail, newest first. For `memory` and `names` see `AuditTrail.entries`."""
    before: int | None = None
    while page := trail.entries(before=before, limit=_PAGE, memory=memory, names=names):
        yield from page
        before = page[-1].number


def undone_by(entries: list[Entry]) -> Mapping[UUID, int]:
    """Return the numbers of the entries that undo others and are in effect, by the id of what they undo.

    Args:
        entries: Entries, newest first, without gaps.
    """
    undone: dict[UUID, int] = {}
    for each in entries:
        if each.by.undoes is not None and each.id not in undone:
            undone.setdefault(each.by.undoes, each.number)
    return undone

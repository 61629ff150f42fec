"""Undo changes of memories."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from attrs import define, evolve, frozen

from lamella.application.audit.log import Logged, all_entries, undone_by
from lamella.application.projects.resolver import Here, ProjectResolver
from lamella.domain.audit.entry import Action, Entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.audit.signature import Signature
from lamella.domain.call import Call
from lamella.ports.storage.observations import ObservationStorage, StatusChange
from lamella.ports.storage.storage import Storage

_SEE = "To see what was changed: lamella log"

_BATCH = 500
"""Memories that are looked at together."""


@frozen(kw_only=True)
class Undone:
    """Account of an undo.

    Attributes:
        entry: The entry that was taken back.
        number: Number of the entry of the undo; None if nothing was changed.
        purged: Ids of the memories that were purged.
        restored: Ids of the memories that were restored.
        changed_since: Ids of those that were left alone, because they were changed after the entry.
        already: Ids of those that were to be purged, and are.
        gone: Number of those that are not in the project any more.
        moved: Number of memories that a merge or split moved; None for other changes.
    """

    entry: Entry
    number: int | None = None
    purged: tuple[UUID, ...] = ()
    restored: tuple[UUID, ...] = ()
    changed_since: tuple[UUID, ...] = ()
    already: tuple[UUID, ...] = ()
    gone: int = 0
    moved: int | None = None


@frozen
class _Plan:
    """Changes that an undo would make.

    Attributes:
        purge: Ids of memories to purge.
        restore: Ids of memories to restore.
        changed_since: Ids of memories that other changes have named since.
    """

    purge: tuple[UUID, ...]
    restore: tuple[UUID, ...]
    changed_since: tuple[UUID, ...]

    def foreseen(self, observations: ObservationStorage) -> Iterator[tuple[UUID, StatusChange]]:
        """Yield the outcome that the change of each memory would have."""
        for ids, purges in ((self.purge, True), (self.restore, False)):
            for start in range(0, len(ids), _BATCH):
                some = ids[start : start + _BATCH]
                there = observations.get_all(some)
                for id in some:
                    if id not in there:
                        yield id, StatusChange.NOT_FOUND
                    else:
                        yield id, StatusChange.ALREADY if there[id].purged == purges else StatusChange.DONE


@define
class Undo:
    """Take back a change of memories: a purge, restore, edit, import, merge or split."""

    storage: Storage
    projects: ProjectResolver

    def __call__(self, call: Call, number: int | None = None, *, dry_run: bool = False) -> Undone:
        """Undo a change in one transaction. What was changed since is left alone.

        Args:
            call: The context.
            number: Number of its entry; None for the latest one that can be undone, is no undo and was not undone.
            dry_run: True to change nothing, and tell what would be changed.

        Raises:
            NotUndoableError: There is no such entry, it was undone, or nothing of it can be taken back.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        here = self.projects.find(call)
        entries = all_entries(here.audit())
        newer: list[Entry] = []
        for entry in entries:
            undone = undone_by(newer).get(entry.id)
            if number is None and (undone or entry.by.undoes or not self._may_be_undone(here, entry, newer)):
                newer.append(entry)
                continue
            if number in (None, entry.number):
                if undone:
                    raise NotUndoableError(
                        reason=f"Entry {entry.number} was undone by entry {undone}.",
                        advice=f"To take that back: lamella undo {undone}",
                        undone_by=undone,
                    )
                return self._undo(call, here, entry, newer, _root(entry, entries), dry_run=dry_run)
            newer.append(entry)
        raise NotUndoableError(
            reason="There is nothing to undo." if number is None else f"There is no entry {number}.",
            advice=_SEE,
        )

    def possible(self, call: Call, latest: Iterable[Logged], *, names: int) -> frozenset[int]:
        """Return the numbers of the entries of which something can be taken back.

        Args:
            call: The context.
            latest: Entries from the latest one on, as the log lists them.
            names: Most memories that they name of each kind. Those of an entry that has more may be changed since;
                it is taken for possible, and its preview says.
        """
        here = self.projects.find(call)
        newer: list[Entry] = []
        found = set()
        for each in latest:
            entry = each.entry
            many = max(map(len, (entry.added, entry.purged, entry.restored))) >= names
            if not each.undone_by and (many or self._may_be_undone(here, entry, newer)):
                found.add(entry.number)
            newer.append(entry)
        return frozenset(found)

    def _may_be_undone(self, here: Here, entry: Entry, newer: Sequence[Entry]) -> bool:
        if entry.action is Action.ERASE:
            return False
        if entry.old is not None:
            return self._is_merged(entry) == (entry.action is Action.MERGE)
        outcomes = _plan(entry, newer).foreseen(here.observations)
        return any(outcome is StatusChange.DONE for _, outcome in outcomes)

    def _is_merged(self, entry: Entry) -> bool:
        """Return True if the project of a merge or split is merged into another now."""
        return any(each.id == entry.old and each.moved_to is not None for each in self.storage.registry.all())

    def _undo(
        self, call: Call, here: Here, entry: Entry, newer: Sequence[Entry], root: Entry, *, dry_run: bool
    ) -> Undone:
        if entry.action is Action.ERASE:
            raise NotUndoableError(
                reason=f"Entry {entry.number} cannot be undone: what was erased is gone for good.",
                advice=_SEE,
            )
        by = evolve(self.projects.signature(call), undoes=entry.id)
        if entry.old is not None:
            if self._is_merged(entry) != (entry.action is Action.MERGE):
                raise _nothing_left(entry)
            moved = entry.count
            if not dry_run and entry.action is Action.MERGE:
                moved = self.storage.registry.split(entry.old, by=by)
            elif not dry_run:
                moved = self.storage.registry.merge(entry.old, entry.new or "", by=by)
            return Undone(entry=entry, number=None if dry_run else _latest(here, entry), moved=moved)
        return self._swap(here, entry, _plan(entry, newer), root, by, dry_run=dry_run)

    def _swap(self, here: Here, entry: Entry, plan: _Plan, root: Entry, by: Signature, *, dry_run: bool) -> Undone:
        observations = here.observations
        if dry_run:
            done: Mapping[UUID, StatusChange] = dict(plan.foreseen(observations))
        else:
            took_over = root.added[0] if root.action is Action.EDIT and root.added else None
            done = observations.swap(
                purge=plan.purge,
                restore=plan.restore,
                replaced_by=took_over if took_over in plan.restore else None,
                by=by,
            )
        if StatusChange.DONE not in done.values():
            raise _nothing_left(entry)
        live = (id for id in plan.restore if done[id] is StatusChange.ALREADY)
        return Undone(
            entry=entry,
            number=None if dry_run else _latest(here, entry),
            purged=tuple(id for id in plan.purge if done[id] is StatusChange.DONE),
            restored=tuple(id for id in plan.restore if done[id] is StatusChange.DONE),
            changed_since=(*plan.changed_since, *live),
            already=tuple(id for id in plan.purge if done[id] is StatusChange.ALREADY),
            gone=sum(outcome is StatusChange.NOT_FOUND for outcome in done.values()),
        )


def _plan(entry: Entry, newer: Sequence[Entry]) -> _Plan:
    """Return what taking back an entry would change.

    Args:
        entry: The entry.
        newer: All entries after it, newest first.
    """
    known, changed = {entry.id}, set[UUID]()
    for each in reversed(newer):
        # An undo, and an undo of that, leave the memories as the entry did.
        if each.by.undoes in known:
            known.add(each.id)
        else:
            changed.update(each.memories)
    return _Plan(
        tuple(id for id in (*entry.added, *entry.restored) if id not in changed),
        tuple(id for id in entry.purged if id not in changed),
        tuple(id for id in entry.memories if id in changed),
    )


def _root(entry: Entry, older: Iterable[Entry]) -> Entry:
    """Return the change that an undo, or an undo of an undo, goes back to; itself if it is no undo."""
    root = entry
    for each in older if entry.by.undoes else ():
        if each.id == root.by.undoes:
            root = each
    return root


def _latest(here: Here, entry: Entry) -> int | None:
    """Return the number of the entry that has just taken back another."""
    return next((each.number for each in here.audit().entries(limit=5) if each.by.undoes == entry.id), None)


def _nothing_left(entry: Entry) -> NotUndoableError:
    return NotUndoableError(
        reason=f"Nothing of entry {entry.number} can be taken back: all of it was changed since.",
        advice=_SEE,
    )

"""Undo changes of memories."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import define, evolve, frozen

from lamella.application.audit.log import Logged, places_of
from lamella.application.audit.refusals import latest, refusal_of, refuse_erases
from lamella.application.audit.trail import (
    Trail,
    arrived,
    in_effect,
    in_effect_at,
    memories_of,
    needed_for,
    other_half,
)
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.projects.sizes import moving
from lamella.domain.audit.entry import Action, AuditEntry, entry_name
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.audit.undoing import Decision, History
from lamella.domain.call import Call
from lamella.domain.errors import LamellaError, ProjectChangeError
from lamella.domain.transactions.status import StatusChange, Swap
from lamella.ports.storage.storage import Storage

_FOLLOWING = 4
"""Maximum number of entries by other processes to skip when looking for a new entry's number."""


@frozen(kw_only=True)
class Undone:
    """Account of an undo.

    Attributes:
        entry: Undone entry.
        everywhere: True if the entry is about global memories.
        number: Number of the new audit entry for this undo; None if nothing was changed.
        purged: Ids of memories that the undo has purged. For an undo of a review: ids no longer marked as
            reviewed.
        restored: Ids of memories that the undo has restored. For an undo of a review: ids marked as reviewed
            again.
        changed_since: Ids of memories that the undo left unchanged, because they were changed after the entry.
        already: Ids of memories that the undo would have purged, but that were already purged.
        gone: Number of memories no longer in the project.
        moved: Number of memories moved by undoing a merge or split; None for other changes.
        also: Name of an entry in the other trail that is still in effect, made by the same command as the undone
            entry. A command that changes both memories of the project and global memories makes an entry in each
            trail.
        rest: Arguments to continue an `Undo.after` that has undone a merge: the id of the split-off project, and
            the number of the last entry to keep in its trail. None if nothing is left to undo there.
    """

    entry: AuditEntry
    everywhere: bool = False
    number: int | None = None
    purged: tuple[UUID, ...] = ()
    restored: tuple[UUID, ...] = ()
    changed_since: tuple[UUID, ...] = ()
    already: tuple[UUID, ...] = ()
    gone: int = 0
    moved: int | None = None
    also: str | None = None
    rest: tuple[str, int] | None = None

    def name(self, number: int) -> str:
        """Return the display name of entry `number` of this trail, such as `3`, or `e3` for global memories."""
        return entry_name(number, everywhere=self.everywhere)


class _Step(NamedTuple):
    """A change in effect, with the writes that undo this change."""

    trail: Trail
    entry: AuditEntry
    decision: Decision
    swap: Swap


@define
class Undo:
    """Undo one change of memories, or all changes after an entry of the audit trail."""

    storage: Storage
    projects: ProjectResolver

    def __call__(
        self, call: Call, number: int | str | None = None, *, everywhere: bool = False, dry_run: bool = False
    ) -> Undone:
        """Undo a change. Memories that were changed again later, or during this call, stay as they are.

        Args:
            call: Context of the call.
            number: Number or id of the change in the audit trail; None for the latest change in effect.
            everywhere: True if `number` is from the trail of global memories.
            dry_run: True to report the outcome without changing anything.

        Raises:
            NotUndoableError: The entry doesn't exist, or nothing of it can be undone. Nothing was changed.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        while True:
            trail, entry = latest(self._trails(call)) if number is None else self._named(call, number, everywhere)
            decision = trail.decide(entry)
            other = places_of(self.projects, call).get(not trail.everywhere)
            also = other_half(trail, other, entry) if other else None
            try:
                done = self._undo(call, trail, entry, decision, dry_run=dry_run) if decision.back else None
                if done and (done.moved is not None or done.purged or done.restored):
                    return evolve(done, also=also)
                refusal: LamellaError = refusal_of(trail, entry, decision)
            except ProjectChangeError as error:
                refusal = error
            now = trail.whole()
            if not now.undoes(entry):
                raise refusal
            # Another process has undone the change meanwhile. So another change is the latest one now.
            if number is not None:
                raise refusal_of(now, entry, now.decide(entry))

    def _named(self, call: Call, number: int | str, everywhere: bool) -> tuple[Trail, AuditEntry]:
        here = places_of(self.projects, call).get(everywhere)
        entries, found = needed_for(here.audit(), number) if here else ((), None)
        if here is None or found is None:
            reason = "The entry is no longer in this log."
            if isinstance(number, int):
                reason = f"There is no entry {entry_name(number, everywhere=everywhere)}."
            raise NotUndoableError(reason=reason)
        return Trail(self.storage, here, everywhere, History.of(entries, found)), found

    def after(
        self, call: Call, number: int, *, everywhere: bool = False, dry_run: bool = False
    ) -> Iterator[Undone]:
        """Undo all changes that took effect after an entry, latest first, including changes of global memories.

        Changes of the project's memories are undone in one transaction, changes of global memories in a second
        transaction. Each merge or split is undone in a separate transaction. Undoing a merge moves the changes of
        the split-off project out of this trail. These changes stay in effect, and `Undone.rest` tells how to undo
        them.

        Args:
            call: Context of the call.
            number: Number of the last entry to leave in effect. In the project's trail, 0 undoes all changes since
                the project was created. Older changes of global memories stay.
            everywhere: True if `number` is from the trail of global memories. In this trail, 0 undoes all changes.
            dry_run: True to report the outcome without changing anything. The report ends at the first merge or
                split, because later steps depend on its outcome.

        Raises:
            NotUndoableError: A change can't be undone. Later changes may have been undone already, and stay
                undone, unless an erase was in the way from the beginning.
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        trails = self._trails(call)
        known = {id for trail in trails for id in trail.history.entries}
        kept, since = in_effect_at(trails, number, everywhere=everywhere)
        while steps := self._steps(call, kept, dry_run=dry_run):
            trail, entry, decision, _ = steps[0]
            if entry.old is not None and not dry_run:
                done = self._undo(call, trail, entry, decision, dry_run=False)
                kept |= arrived(self._trails(call)[0], since, known)
                yield evolve(done, rest=self._rest(call, entry, kept, since))
                continue
            for trail in {} if dry_run else {id(step.trail): step.trail for step in steps}.values():
                if not trail.swap([step.swap for step in steps if step.trail is trail]):
                    reason = "Some memories were changed meanwhile; they were left as they are."
                    raise NotUndoableError(reason=reason, advice="To try again, repeat the command.", commands=())
            last = {id: place for place, step in enumerate(steps) for id in step.swap.entry.memories}
            for place, (trail, entry, decision, swap) in enumerate(steps):
                done = self._undo(call, trail, entry, decision, dry_run=True)
                left = tuple(id for id in done.changed_since if last.get(id, -1) < place)
                new = None if dry_run else self._number(call, trail, entry, swap.entry.id, len(steps))
                yield evolve(done, number=new, changed_since=left)
            if dry_run:
                return

    def _steps(self, call: Call, kept: Collection[UUID], *, dry_run: bool) -> Sequence[_Step]:
        """Return the changes to undo next, latest first, except the changes of `kept`.

        If changes were made after the latest merge or split, return these changes. Otherwise, return only that
        merge or split. A dry run returns both together.

        Raises:
            NotUndoableError: A change can't be undone.
        """
        trails, by = self._trails(call), self.projects.signature(call)
        refuse_erases(trails, kept)
        steps: list[_Step] = []
        while latest := next(in_effect(trails, kept), None):
            trail, entry, decision = latest
            if steps and entry.old is not None and not dry_run:
                break
            if not decision.back:
                raise refusal_of(trail, entry, decision)
            steps.append(_Step(trail, entry, decision, trail.pretend(entry, decision, by)))
            if entry.old is not None:
                break
        return steps

    def _rest(
        self, call: Call, entry: AuditEntry, kept: Collection[UUID], since: datetime
    ) -> tuple[str, int] | None:
        """Return `Undone.rest` of an undone merge."""
        here = self.projects.find(call).project
        other = entry.new if here and here.id == entry.old else entry.old
        apart = self.projects.find(evolve(call, project=other, even_off=True))
        entries = [*apart.audit().all()]
        changes = in_effect([Trail(self.storage, apart, False, History.of(entries))], kept)
        if other is None or apart.project == here or next(changes, None) is None:
            return None
        return other, max((each.number for each in entries if each.by.at <= since), default=0)

    def _trails(self, call: Call, names: int | None = None) -> Sequence[Trail]:
        """Return the trails of the project and of global memories. `names` is the same as in `AuditTrail.all`."""
        return [
            Trail(self.storage, here, of_all, History.of(here.audit().all(names=names)))
            for of_all, here in places_of(self.projects, call).items()
        ]

    def possible(self, call: Call, shown: Iterable[Logged], *, names: int) -> frozenset[str]:
        """Return the display names of the entries that can be undone at least in part.

        Args:
            call: Context of the call.
            shown: Entries of the log.
            names: Maximum number of memories to look up per entry. An entry with this number or more isn't
                checked: unless it was undone, it counts as undoable. Only a preview of its undo checks it.
        """
        trails, found = {each.everywhere: each for each in self._trails(call, names)}, set()
        for each in shown:
            trail = trails[each.everywhere]
            entry = trail.history.entries.get(each.entry.id, each.entry)
            untried = max(map(len, (entry.added, entry.purged, entry.restored))) >= names and not each.undone_by
            if untried or (trail.history.holds(entry) and trail.decide(entry).back):
                found.add(each.name)
        return frozenset(found)

    def _undo(self, call: Call, trail: Trail, entry: AuditEntry, decision: Decision, *, dry_run: bool) -> Undone:
        by = evolve(self.projects.signature(call), undoes=entry.id)
        if entry.old is not None:
            splits = entry.action is Action.MERGE
            if dry_run:
                moved = moving(self.storage, entry.old, split=splits)
            elif splits:
                moved = self.storage.registry.split(entry.old, by=by)
            else:
                moved = self.storage.registry.merge(entry.old, entry.new or "", by=by)
            number = None if dry_run else self._number(call, trail, entry)
            return Undone(entry=entry, everywhere=trail.everywhere, number=number, moved=moved)
        purge, restore = decision.purge, decision.restore
        changes: tuple[StatusChange, ...] = (StatusChange.DONE,) * len((*purge, *restore))
        if entry.action is Action.KEEP and not dry_run:
            if not trail.swap([trail.pretend(entry, decision, by)]):
                changes = (StatusChange.LEFT,) * len(changes)
        elif not dry_run:
            changes = trail.here.observations.swap(purge=purge, restore=restore, heirs=decision.heirs, by=by)
        done = dict(zip((*purge, *restore), changes, strict=True))
        live = (id for id in restore if done[id] in (StatusChange.ALREADY, StatusChange.LEFT))
        purged = (id for id in purge if done[id] is StatusChange.ALREADY)
        return Undone(
            entry=entry,
            everywhere=trail.everywhere,
            number=None if dry_run else self._number(call, trail, entry),
            purged=tuple(id for id in purge if done[id] is StatusChange.DONE),
            restored=tuple(id for id in restore if done[id] is StatusChange.DONE),
            changed_since=(*memories_of(decision.changed), *live),
            already=(*memories_of(decision.already), *purged),
            gone=len(decision.gone) + decision.erased + list(done.values()).count(StatusChange.NOT_FOUND),
        )

    def _number(
        self, call: Call, trail: Trail, entry: AuditEntry, id: UUID | None = None, sought: int = 1
    ) -> int | None:
        """Return the number of the new entry that has just undone `entry`.

        The number is from the trail of the caller's present project. If a merge was undone, the new entry is in
        the trail of the split-off project, which has numbers of its own.

        Args:
            call: Context of the call.
            trail: Trail of the undone entry.
            entry: The undone entry.
            id: Id of the new entry, if other entries of the transaction may undo the same entry.
            sought: Number of entries written in the transaction of the undo.
        """
        here = trail.here if trail.everywhere else self.projects.find(evolve(call, even_off=True))
        latest = here.audit().entries(limit=sought + _FOLLOWING)
        return next((each.number for each in latest if each.by.undoes == entry.id and id in (None, each.id)), None)

"""Audit trail of one project: the changes that are in effect, and the effect of undoing them now."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import partial
from heapq import merge
from itertools import takewhile
from operator import itemgetter
from uuid import UUID, uuid4

from attrs import evolve, field, frozen

from lamella.application.audit.log import some_of
from lamella.application.projects.context import ProjectContext
from lamella.domain.audit.entry import Action, AuditEntry, Signature, entry_name
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.audit.undoing import Decision, History, Kept, Subject, undone_by
from lamella.domain.exchange.foreign import may_be_version
from lamella.domain.exchange.shared_file import edited_id
from lamella.domain.transactions.look import Look
from lamella.domain.transactions.reviewing import LOOK, kept, mark
from lamella.domain.transactions.status import Swap, decide_swaps
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.storage import Storage

_BEGINNING, _END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

FEW = 500
"""Number of memories from which on an entry is long."""

_MOST_PAIRS = 250_000
"""Maximum number of pairs of memories to compare for links."""


@frozen(eq=False)
class Trail:
    """Trail of one project, for undoing its entries.

    Attributes:
        storage: Storage of the project.
        here: The project.
        everywhere: True for the trail of global memories.
        history: Replay of the trail.
        pretended: Statuses that memories and projects will have after planned undos; see `away`.
    """

    storage: Storage
    here: ProjectContext
    everywhere: bool
    history: History
    pretended: dict[Subject, bool] = field(factory=dict)
    _heirs: dict[UUID, UUID | None] = field(init=False, factory=dict)
    """Cache of replacements: the id of the new memory, keyed by the id of the replaced memory."""
    _moved_to: dict[str, str | None] = field(init=False, factory=dict)
    """Cache of the target of each merge, keyed by the id of the merged project."""

    def decide(self, entry: AuditEntry) -> Decision:
        """Return the outcome of undoing an entry."""
        subjects = self.history.subjects(entry)
        decision = self._decide_ignoring_heirs(entry, self.away(subjects))
        # If this change replaced a memory, and a replacement is still live after the undo, don't restore the
        # memory. Ignore replacements that were made before this change, or that this undo restores: the memory
        # was live beside them before.
        heirs = {*subjects} - {*decision.restore}
        new = [id for id in decision.restore if self._heirs.get(id) in heirs]
        replaced = [id for id in new if self._is_replaced(id, decision.purge)]
        return self._linked(decision.without(replaced) if replaced else decision)

    def _linked(self, decision: Decision) -> Decision:
        """Return a decision, with links from the memories that it purges to their new versions.

        Only memories that an import had replaced get such a link.
        """
        states = decision.back.items()
        imports = {id for id, each in self.history.entries.items() if each.action is Action.IMPORT}
        former = [id for id, state in states if isinstance(id, UUID) and state.away and state.since in imports]
        if not former or not 0 < len(decision.restore) * len(former) <= _MOST_PAIRS:
            return decision
        later = list(some_of(self.here.observations, decision.restore))
        pairs = [(old, each) for old in some_of(self.here.observations, former) for each in later]
        heirs: dict[Subject, UUID] = {old.id: each.id for old, each in pairs if may_be_version(each, old)}
        heirs |= {old.id: each.id for old, each in pairs if each.id == edited_id(old.id, each)}
        back = {id: evolve(state, replaced_by=heirs[id]) if id in heirs else state for id, state in states}
        return evolve(decision, back=back)

    def _decide_ignoring_heirs(self, entry: AuditEntry, away: Mapping[Subject, bool]) -> Decision:
        decision, last = self.history.decide(entry, away), entry.new
        if entry.action is not Action.SPLIT or not decision.back:
            return decision
        # After the split, the original project may have been merged into the split-off one, directly or through
        # other projects.
        while last and (target := self._moved_to.get(last)) != entry.old:
            last = target
        if last is None:
            return decision
        merges = [each for each in self.history.entries.values() if each.old == last]
        return evolve(decision, back={}, blocked=True, blocker=merges[-1] if merges else None)

    def _is_replaced(self, id: UUID, leaving: Collection[UUID]) -> bool:
        """Return True if a purged memory has a live replacement that isn't in `leaving`.

        Replacements of replacements count, too.
        """
        seen = {id}
        while (heir := self._heirs.get(id)) is not None and heir not in leaving and heir not in seen:
            if self.away([heir]).get(heir) is False:
                return True
            seen.add(heir)
            id = heir
        return False

    def away(self, subjects: Collection[Subject]) -> Mapping[Subject, bool]:
        """Return the statuses of existing subjects, keyed by subject.

        True means that the memory is purged, that the project is merged, or that the review of the memory isn't
        in effect.
        """
        away: dict[Subject, bool] = {}
        if any(isinstance(each, str) for each in subjects):
            self._moved_to.update((each.id, each.moved_to) for each in self.storage.registry.all())
            away.update((id, target is not None) for id, target in self._moved_to.items())
        for each in some_of(self.here.observations, memories_of(subjects)):
            away[each.id] = each.purged
            self._heirs[each.id] = each.replaced_by
        reviewed = [each for each in subjects if isinstance(each, Kept)]
        marks = kept(self.here.observations.look(LOOK)) if reviewed else ()
        away.update((each, mark(each.memory) not in marks) for each in reviewed)
        return {each: self.pretended.get(each, gone) for each, gone in away.items()}

    def pretend(self, entry: AuditEntry, decision: Decision, by: Signature) -> Swap:
        """Return the writes that undo an entry. From then on, this object treats the undo as already done."""
        undo = AuditEntry(
            id=uuid4(),
            action=entry.action,
            by=evolve(by, undoes=entry.id),
            purged=decision.purge,
            restored=decision.restore,
        )
        self.history.replay(undo)
        self.pretended.update({each: state.away for each, state in decision.back.items()})
        return Swap(entry=undo, heirs=decision.heirs)

    def swap(self, swaps: Sequence[Swap]) -> bool:
        """Store undos in one transaction. If one of them is no longer possible, store nothing and return False."""
        ids = tuple(id for each in swaps for id in each.entry.memories)
        look = Look(ids=ids, neighbours=True, sources=LOOK.sources)
        return self.here.observations.transact(look, partial(decide_swaps, swaps))

    def whole(self) -> "Trail":
        """Return the trail as it is now. Its entries have the ids of all their memories."""
        return evolve(self, history=History.of(self.here.audit().all()))

    def undoes(self, entry: AuditEntry) -> int | None:
        """Return the number of the entry that has undone an entry; None without an undo in effect."""
        return undone_by(reversed(list(self.history.entries.values()))).get(entry.id)

    def name(self, entry: AuditEntry) -> str:
        """Return the name of an entry for commands and pages."""
        return entry_name(entry.number, everywhere=self.everywhere)


def needed_for(audit: AuditTrail, number: int | str) -> tuple[Sequence[AuditEntry], AuditEntry | None]:
    """Return all entries of a trail, newest first, and the entry to undo, which has this number or id.

    The second value is None if the trail doesn't have the entry. The returned entries have all ids of memories
    that the undo needs. The latest import may have added a hundred thousand memories. If no other entry is long,
    and the import isn't the entry to undo, read only ids of the import that other entries have, too.
    """
    entries = list(audit.all(names=FEW))
    imports = (place for place, each in enumerate(entries) if each.action is Action.IMPORT)
    place, found = next(imports, None), _named(entries, number)
    long = [
        at for at, each in enumerate(entries) if max(map(len, (each.added, each.purged, each.restored))) >= FEW
    ]
    if not found or not long:
        return entries, found
    if place is not None and long == [place] and found is not entries[place]:
        others = {id for each in (*entries[:place], *entries[place + 1 :]) for id in each.memories}
        whole = audit.entries(before=entries[place - 1].number if place else None, limit=1, names=others)
        # The ids differ if another process has added an entry meanwhile.
        if [each.id for each in whole] == [entries[place].id]:
            return [*entries[:place], *whole, *entries[place + 1 :]], found
    entries = list(audit.all())
    return entries, _named(entries, number)


def _named(entries: Iterable[AuditEntry], number: int | str) -> AuditEntry | None:
    return next((each for each in entries if number in (each.number, str(each.id))), None)


def in_effect(
    trails: Iterable[Trail], kept: Collection[UUID] = ()
) -> Iterator[tuple[Trail, AuditEntry, Decision]]:
    """Yield the changes in effect, latest first. Skip changes in `kept`, and changes with nothing left to undo."""
    changes = [
        [(at, trail, entry) for at, entry in trail.history.changes() if entry.id not in kept] for trail in trails
    ]
    for _, trail, entry in merge(*changes, key=itemgetter(0), reverse=True):
        if entry.action is Action.ERASE or trail.history.holds(entry):
            decision = trail.decide(entry)
            if entry.action is Action.ERASE or decision.back or decision.blocked or decision.lost:
                yield trail, entry, decision


def in_effect_at(trails: Sequence[Trail], number: int, *, everywhere: bool) -> tuple[AbstractSet[UUID], datetime]:
    """Return the ids of the changes that were in effect right after an entry, and the time of the entry.

    If the trail has no entry up to `number`, the returned time is before all changes.

    Args:
        trails: Trail of the project, then that of global memories, if shown.
        number: Number of the entry. In the project's trail, 0 stands for the creation of the project. In the trail
            of global memories, 0 stands for the time before all changes.
        everywhere: True if `number` is from the trail of global memories.

    Raises:
        NotUndoableError: The entry doesn't exist.
    """
    named = [each for trail in trails if trail.everywhere is everywhere for each in trail.history.entries.values()]
    if number > max((each.number for each in named), default=0):
        name = entry_name(number, everywhere=everywhere)
        raise NotUndoableError(reason=f"There is no entry {name}.")
    project = trails[0].here.project
    created = _BEGINNING if everywhere else project.created_at if project else _END
    times = [each.by.at for each in named if each.number <= number]
    since = max(times, default=created)
    kept: set[UUID] = set()
    for trail in trails:
        entries = trail.history.entries.values()
        kept |= _in_effect_after(
            each
            for each in entries
            if (each.number <= number if trail.everywhere is everywhere else each.by.at <= since)
        )
    return kept, max(times, default=_BEGINNING)


def _in_effect_after(earlier: Iterable[AuditEntry]) -> AbstractSet[UUID]:
    """Return the ids of the changes in effect after `earlier`.

    `earlier` has the first entries of a trail, oldest first.
    """
    latest_first = list(earlier)[::-1]
    undone, then = undone_by(latest_first), History.of(latest_first)
    return {each.id for each in latest_first if each.id not in undone or then.holds(each)}


def arrived(trail: Trail, since: datetime, known: AbstractSet[UUID]) -> AbstractSet[UUID]:
    """Return the ids of the changes that a merge, such as the undo of a split, has brought into the trail.

    Only changes that were in effect at the time `since` are returned.

    Args:
        trail: Trail of the project, read after the merge.
        since: Time of the last change to keep.
        known: Ids of the changes that were in the project's trails before the merge.
    """
    return _in_effect_after(each for each in trail.history.entries.values() if each.by.at <= since) - known


def other_half(trail: Trail, other: ProjectContext, entry: AuditEntry) -> str | None:
    """Return the name of the entry that the same command made in the trail of the project `other`.

    Return None if the command made no entry there, or if that entry isn't in effect.
    """
    since = takewhile(lambda each: each.by.at >= entry.by.at, other.audit().all())
    half = next((each for each in since if each.by == entry.by), None)
    if half is None:
        return None
    rest = Trail(trail.storage, other, not trail.everywhere, History.of(other.audit().all()))
    return rest.name(half) if rest.decide(half).back else None


def memories_of(subjects: Iterable[Subject]) -> Iterator[UUID]:
    """Yield the ids of memories among the subjects of a change. Skip projects."""
    return (each for each in subjects if isinstance(each, UUID))

"""Decisions of undo, beside a model that knows which changes of each memory are in effect."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define, evolve, field
from hypothesis import event, given
from hypothesis import strategies as st

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.audit.undoing import History, State
from lamella_contracts.fixtures.project import MINUTE, START, signed
from tests.unit.support.tables import cases

A, B, C = (UUID(int=number) for number in (1, 2, 3))
OLD = "old"


def entry(number: int, action: Action, *, undoes: AuditEntry | None = None, **changes: object) -> AuditEntry:
    by = signed(START + MINUTE * number, undoes=undoes.id if undoes else None)
    return AuditEntry(id=UUID(int=1_000 + number), number=number, action=action, by=by, **changes)  # type: ignore[arg-type] # of any field


def edited(number: int, *, erased: int = 1, **changes: tuple[UUID, ...]) -> AuditEntry:
    edit = entry(number, Action.EDIT, undoes=None, **changes)
    return evolve(edit, count=len(edit.memories) + erased)


def history(*entries: AuditEntry) -> History:
    return History.of(reversed(entries))


def test_an_edit_is_undone_as_a_whole() -> None:
    edit = entry(1, Action.EDIT, added=(B,), purged=(A,))
    decision = history(edit).decide(edit, {A: True, B: False})
    assert (decision.purge, decision.restore, decision.heirs, decision.blocked) == ((B,), (A,), {}, False)


def test_a_replaced_memory_stays_purged_if_its_replacement_has_changed() -> None:
    edit = entry(1, Action.EDIT, added=(B,), purged=(A,))
    decision = history(edit).decide(edit, {A: True, B: True})
    assert (decision.back, decision.blocked, decision.already, decision.blocker) == ({}, True, (B,), None)


def test_the_link_to_what_replaced_a_memory_comes_back_with_its_purge() -> None:
    edit = entry(1, Action.EDIT, added=(B,), purged=(A,))
    restore = entry(2, Action.RESTORE, restored=(A,))
    decision = history(edit, restore).decide(restore, {A: False})
    assert (decision.purge, decision.heirs) == ((A,), {A: B})
    undo = entry(3, Action.EDIT, undoes=edit, restored=(A,), purged=(B,))
    redo = history(edit, undo).decide(undo, {A: False, B: True})
    assert redo.back == {A: State(edit.id, away=True, replaced_by=B), B: State(edit.id, away=False)}
    assert redo.heirs == {A: B}


def test_each_purged_memory_keeps_its_own_link() -> None:
    first = entry(1, Action.EDIT, added=(B,), purged=(A,))
    purge = entry(2, Action.PURGE, purged=(C,))
    restore = entry(3, Action.RESTORE, restored=(A, C))
    decision = history(first, purge, restore).decide(restore, {A: False, C: False})
    assert (decision.purge, decision.heirs) == ((A, C), {A: B})


def test_what_came_with_an_import_is_undone_with_the_import_only() -> None:
    elsewhere = entry(1, Action.PURGE, purged=(A,))
    arrived = entry(2, Action.IMPORT, added=(A, B))
    both = history(elsewhere, arrived)
    assert (both.decide(elsewhere, {A: True}).back, both.brought_by(elsewhere)) == ({}, arrived)
    decided = history(elsewhere, arrived).decide(arrived, {A: True, B: False})
    assert (decided.purge, decided.already) == ((B,), (A,))


def test_an_entry_says_what_it_found_better_than_those_before_it() -> None:
    arrived = entry(1, Action.IMPORT, added=(A,))
    restored = entry(2, Action.RESTORE, restored=(A,))
    assert history(arrived, restored).decide(restored, {A: False}).purge == (A,)
    undo = entry(2, Action.PURGE, undoes=arrived, purged=(A,))
    purged = entry(3, Action.PURGE, purged=(A,))
    assert history(arrived, undo, purged).decide(purged, {A: True}).restore == (A,)


def test_a_memory_that_is_not_there_is_counted_as_gone() -> None:
    purge = entry(1, Action.PURGE, purged=(A, B))
    decided = history(purge).decide(purge, {B: False})
    assert (decided.back, decided.gone, decided.changed) == ({}, (A,), (B,))


@cases
def test_an_edit_of_erased_memories_is_undone_if_it_is_clear_what_returns(
    entries: list[AuditEntry], undone: int, restored: tuple[UUID, ...] | None
) -> None:
    decided = history(*entries).decide(entries[undone - 1], {A: True, C: False})
    assert (decided.restore or None, decided.lost) == (restored, restored is None)


def test_a_merge_is_undone_while_its_project_is_merged() -> None:
    merge = entry(1, Action.MERGE, old=OLD, new="new", count=1)
    assert history(merge).decide(merge, {OLD: True}).back == {OLD: State(None, away=False)}
    assert history(merge).decide(merge, {OLD: False}).back == {}
    split = entry(2, Action.SPLIT, old=OLD, new="new", count=1)
    assert history(merge, split).decide(merge, {OLD: False}).blocker == split


def test_an_undo_whose_change_is_in_no_trail_is_a_change_that_undo_passes_over() -> None:
    lost = entry(1, Action.PURGE, purged=(A,))
    undo = entry(2, Action.RESTORE, undoes=lost, restored=(A,))
    again = entry(3, Action.PURGE, undoes=undo, purged=(A,))
    assert list(history(undo).changes()) == []
    decided = history(undo, again).decide(again, {A: True})
    assert decided.restore == (A,)
    assert list(history(undo, again).changes()) == []


@define
class Model:
    """A trail, and for each memory the changes that are in effect, each with what it made of it."""

    entries: list[AuditEntry] = field(factory=list)
    stacks: dict[UUID, list[tuple[UUID, bool]]] = field(factory=dict)
    added: set[UUID] = field(factory=set)
    """Memories that were not there before some entry."""
    targets: dict[UUID, tuple[UUID, bool]] = field(factory=dict)
    """The change of each entry, and True if the entry makes it."""
    order: list[UUID] = field(factory=list)
    """Changes in effect, the latest last."""

    @property
    def away(self) -> Mapping[UUID, bool]:
        return {id: stack[-1][1] if stack else id in self.added for id, stack in self.stacks.items()}

    def write(self, action: Action, *, undoes: AuditEntry | None = None, **changes: Sequence[UUID]) -> AuditEntry:
        named = {change: tuple(ids) for change, ids in changes.items()}
        new = entry(len(self.entries) + 1, action, undoes=undoes, **named)
        self.entries.append(new)
        root, makes = (new.id, True) if undoes is None else self.targets[undoes.id]
        makes = makes if undoes is None else not makes
        self.targets[new.id] = (root, makes)
        if makes:
            self.order = [*(id for id in self.order if id != root), root]
        self.added.update(new.added)
        for away, ids in ((True, new.purged), (False, (*new.added, *new.restored))):
            for id in ids:
                stack = self.stacks.setdefault(id, [])
                if makes:
                    stack.append((root, away))
                else:
                    # Only what is on top can be taken back.
                    assert stack.pop()[0] == root
        return new

    def undo(self, target: AuditEntry) -> bool:
        """Undo an entry if that is possible, and compare with what is in effect."""
        before = self.away
        decided = history(*self.entries).decide(target, {id: before[id] for id in target.memories})
        root, makes = self.targets[target.id]
        if makes:
            tops = {id for id in target.memories if self.stacks[id] and self.stacks[id][-1][0] == root}
            assert tops.issuperset(decided.back)
            assert decided.blocked or tops == set(decided.back)
        if not decided.back:
            return False
        action = Action.EDIT if decided.purge and decided.restore else Action.PURGE
        self.write(action, undoes=target, purged=decided.purge, restored=decided.restore)
        changed = {id: id in decided.purge for id in (*decided.purge, *decided.restore)}
        assert self.away == {**before, **changed}
        return True

    def undo_latest(self) -> AuditEntry | None:
        replay = history(*self.entries)
        for _, each in replay.changes():
            if replay.holds(each) and self.undo(each):
                return each
        return None


@given(st.data())
def test_undo_goes_back_through_the_changes_in_effect(data: st.DataObject) -> None:
    model = Model(stacks={A: [], B: [], C: []})
    snapshots: list[Mapping[UUID, bool]] = []
    straight = True
    for _ in range(data.draw(st.integers(1, 14))):
        live = [id for id, away in model.away.items() if not away]
        purged = [id for id, away in model.away.items() if away]
        kinds = [
            "undo",
            *(["by number"] if model.entries else []),
            *(["purge", "edit", "import"] if live else []),
            *(["restore"] if purged else []),
        ]
        kind = data.draw(st.sampled_from(kinds))
        before = model.away
        if kind == "undo":
            undone = model.undo_latest()
            if straight and snapshots:
                assert undone is not None
                assert live_of(model.away) == live_of(snapshots.pop())
        elif kind == "by number":
            model.undo(data.draw(st.sampled_from(model.entries)))
            straight = False
        else:
            fit = st.sampled_from(purged if kind == "restore" else live)
            some = data.draw(st.lists(fit, min_size=1, unique=True))
            snapshots.append(before)
            new = UUID(int=100 + len(model.entries))
            if kind == "edit":
                model.write(Action.EDIT, added=[new], purged=some)
            elif kind == "import":
                model.write(Action.IMPORT, added=[new])
            elif kind == "purge":
                model.write(Action.PURGE, purged=some)
            else:
                model.write(Action.RESTORE, restored=some)
    event("straight" if straight else "by number")


def live_of(away: Mapping[UUID, bool]) -> set[UUID]:
    return {id for id, gone in away.items() if not gone}

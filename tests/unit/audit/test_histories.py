"""Undo after random histories of real changes, beside the live memories that were there before each change."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from attrs import define, evolve, field
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    precondition,
    rule,
)

from lamella.application.audit import trail
from lamella.application.audit.undo import Undone
from lamella.application.memories.save import SaveRequest
from lamella.application.projects.manage import MergeProjects
from lamella.domain.audit.entry import Action, AuditEntry, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Draft, Observation
from lamella_contracts.fixtures.project import START, signed
from tests.unit.support.doubles import Desk, everything

IMPORTED = 1_000
MERGED = UUID(int=0)
"""Stands among live memories for a merge, also of a project without any."""


@define
class Before:
    """Live memories before a change, and memories saved since.

    Attributes:
        entry: Id of its entry.
        touched: Memories in the entry.
        replaced: Memories replaced by the change, if it is an edit.
        heir: Their replacement.
    """

    live: set[UUID]
    saved: set[UUID] = field(factory=set)
    entry: UUID = MERGED
    touched: frozenset[UUID] = frozenset()
    replaced: frozenset[UUID] = frozenset()
    heir: UUID | None = None

    @property
    def expected(self) -> set[UUID]:
        """Live memories after its undo."""
        return self.live | self.saved


class Histories(RuleBasedStateMachine):
    """State machine: undo reverses one change at a time, or refuses with a reason and changes nothing."""

    memories: "Bundle[Observation]" = Bundle("memories")

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(trail, "FEW", 2)  # entries with more memories are read in parts
        self.desk = Desk()
        self.changes: list[Before] = []
        self.undone: list[tuple[UUID, Before]] = []
        self.erased: set[UUID] = set()
        self.imports = IMPORTED

    @initialize(target=memories)
    def begin(self) -> "MultipleResults[Observation] | Observation":
        old = self.desk.at(directory=Path("/old"))
        elsewhere = [old.save(text) for text in ("purged elsewhere", "live elsewhere")]
        old.purge(old.call, [str(elsewhere[0].id)])
        return multiple(self.desk.save("first"), *elsewhere)

    def every(self) -> dict[UUID, Observation]:
        here, everywhere = self.desk.here, self.desk.projects.everywhere(self.desk.call)
        return {each.id: each for place in filter(None, (here, everywhere)) for each in everything(place)}

    @property
    def live(self) -> set[UUID]:
        live = {id for id, each in self.every().items() if not each.purged}
        return {*live, MERGED} if self.merged else live

    @property
    def merged(self) -> bool:
        return self.desk.storage.registry.named("old").id == self.desk.project.id

    def begun(self) -> Before:
        self.desk.clock.advance(timedelta(minutes=1))
        self.undone.clear()
        return Before(self.live)

    def change(self, before: Before) -> None:
        entry = self.desk.log(self.desk.call)[0].entry
        before.entry, before.touched = entry.id, frozenset(entry.memories)
        self.changes.append(before)

    @rule(target=memories, everywhere=st.booleans())
    def save(self, *, everywhere: bool) -> Observation:
        saved = self.desk.saving(SaveRequest(text=f"memory {self.desk.clock.now()}", everywhere=everywhere))
        for each in self.changes:
            each.saved.add(saved.observation.id)
        self.undone.clear()
        return saved.observation

    @rule(target=memories, some=st.lists(memories, min_size=1, max_size=3, unique_by=lambda each: each.id))
    def replace(self, some: list[Observation]) -> "MultipleResults[Observation] | Observation":
        every = self.every()
        live = [every[each.id] for each in some if each.id in every and not every[each.id].purged]
        project = live[0].project if live else None
        replaced = tuple(str(each.id) for each in live if each.project == project)
        if not replaced:
            return multiple()
        before = self.begun()
        request = SaveRequest(
            text=f"new {self.desk.clock.now()}", replaces=replaced, everywhere=project != self.desk.project.id
        )
        saved = self.desk.saving(request).observation
        before.replaced, before.heir = frozenset(map(UUID, replaced)), saved.id
        self.change(before)
        return saved

    @rule(some=st.lists(memories, min_size=1, max_size=3, unique_by=lambda each: each.id), restores=st.booleans())
    def purge_or_restore(self, some: list[Observation], *, restores: bool) -> None:
        every = self.every()
        fit = [every[each.id] for each in some if each.id in every and every[each.id].purged == restores]
        # One call on both projects is two changes.
        ids = [str(each.id) for each in fit if each.project == fit[0].project]
        if ids:
            before = self.begun()
            (self.desk.restore if restores else self.desk.purge)(self.desk.call, ids)
            self.change(before)

    @rule(one=consumes(memories))
    def erase(self, one: Observation) -> None:
        # An edit of an erased memory can't be undone. The undo of a merge may take it away.
        here = self.every().get(one.id)
        if here is None or here.origin != here.project:
            return
        self.desk.clock.advance(timedelta(minutes=1))
        self.desk.erase(self.desk.call, [str(one.id)])
        self.erased.add(one.id)
        for each in self.changes:
            each.live.discard(one.id)
            each.saved.discard(one.id)
        self.undone.clear()

    @rule(target=memories)
    def import_with_a_trail(self) -> "MultipleResults[Observation] | Observation":
        before = self.begun()
        project = self.desk.project.id
        by = signed(self.desk.clock.now())
        ids = (UUID(int=self.imports), UUID(int=self.imports + 1))
        self.imports += 2
        live, purged = (
            Draft(content=str(id)).observed(id=id, project=project, sequence=1, now=START) for id in ids
        )
        arrivals = [Arrival(observation=each) for each in (live, evolve(purged, purged_at=START))]
        entry = AuditEntry(id=UUID(int=self.imports), action=Action.IMPORT, by=by)
        self.desk.observations.insert_new(arrivals, entry=entry)
        elsewhere = AuditEntry(
            id=UUID(int=self.imports + IMPORTED), action=Action.PURGE, by=signed(START), purged=ids[1:], count=1
        )
        self.desk.here.audit().add([elsewhere])
        self.change(before)
        return multiple(live, purged)

    @precondition(lambda self: not self.merged)
    @rule()
    def merge(self) -> None:
        before = self.begun()
        MergeProjects(self.desk.storage, self.desk.projects)(self.desk.call, "old", "lovelace")
        self.change(before)

    def is_taken(self, name: str) -> bool:
        number, everywhere = named_entry(name) or pytest.fail("no name")
        with suppress(NotUndoableError):
            return bool(self.desk.undo(self.desk.call, number, everywhere=everywhere, dry_run=True))
        return False

    def undone_or_not(self) -> tuple[NotUndoableError | None, Undone | None]:
        try:
            foreseen = self.desk.undo(self.desk.call, dry_run=True)
        except NotUndoableError as error:
            return error, None
        done = self.desk.undo(self.desk.call)
        assert evolve(foreseen, number=done.number) == done
        return None, done

    def may_be_refused(self, place: int, live: set[UUID]) -> bool:
        """Tell if the undo of a change may be refused.

        This is so for a change of erased memories, for one without an effect, and for one of memories changed by a
        later one that may be refused.
        """
        change, after = self.changes[place], self.after(place, live)
        gone = change.touched and change.touched <= self.erased
        torn = change.replaced and (change.replaced <= self.erased or change.heir in self.erased)
        if gone or torn or change.expected == after:
            return True
        later = list(enumerate(self.changes))[place + 1 :]
        return any(each.touched & change.touched and self.may_be_refused(number, live) for number, each in later)

    def after(self, place: int, live: set[UUID]) -> set[UUID]:
        """Return the live memories after a change, with those saved since; `live` after the latest one."""
        return self.changes[place + 1].expected if place + 1 < len(self.changes) else live

    def live_heirs(self, change: Before) -> set[UUID]:
        """Return the live replacements of what an edit has added, however far."""
        heirs = {change.heir}
        for each in self.changes:
            heirs |= {each.heir} if each.replaced & heirs else set()
        return self.live & (heirs - {change.heir})

    def undo_past(self, place: int, live: set[UUID]) -> set[UUID]:
        """Take a change from the model, and return the live memories. Later changes stay in effect."""
        went, later = self.changes[place], self.changes[place + 1 :]
        assert all(self.may_be_refused(each, live) for each in range(place + 1, len(self.changes)))
        touched = {id for each in later for id in each.touched}
        after = self.after(place, live)
        back, gone = went.expected - after - touched, after - went.expected - touched
        for each in later:
            each.live, each.saved = (each.live | back) - gone, each.saved - gone
        self.changes.remove(went)
        return (live | back) - gone

    @rule()
    def undo(self) -> None:
        self.desk.clock.advance(timedelta(minutes=1))
        before, live, logged = self.every(), self.live, self.desk.log(self.desk.call)
        assert self.desk.undo.possible(self.desk.call, logged, names=9) == {
            each.name for each in logged if self.is_taken(each.name)
        }
        refused, done = self.undone_or_not()
        if refused is not None:
            assert (self.every(), self.desk.log(self.desk.call)) == (before, logged)
            event("past an erase" if refused.instead else "nothing to undo")
            if refused.instead is None:
                assert all(self.may_be_refused(place, live) for place in range(len(self.changes)))
                return
            assert "erased" in refused.reason
            number, everywhere = named_entry(refused.instead) or pytest.fail("no command")
            done = self.desk.undo(self.desk.call, number, everywhere=everywhere)
        assert done is not None
        assert done.number is not None
        (place,) = (place for place, each in enumerate(self.changes) if each.entry == done.entry.id)
        heirs = self.live_heirs(self.changes[place])
        went = self.changes[place]
        assert self.live == self.undo_past(place, live)
        assert not heirs & self.live
        self.undone.append((done.entry.id, went))

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        undone, went = self.undone.pop()
        # A merge brings older entries, and numbers rise with time: numbers from before it are those of others.
        names = (each.name for each in self.desk.log(self.desk.call) if each.entry.by.undoes == undone)
        number, everywhere = named_entry(next(names)) or pytest.fail("no name")
        self.desk.clock.advance(timedelta(minutes=1))
        went.live, went.saved = self.live, set()
        self.changes.append(went)
        self.desk.undo(self.desk.call, number, everywhere=everywhere)
        assert self.live != went.live

    def teardown(self) -> None:
        left = len(self.changes) + 1
        while 0 < len(self.changes) < left:
            left = len(self.changes)
            self.undo()
        self.patch.undo()


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=12, stateful_step_count=20)

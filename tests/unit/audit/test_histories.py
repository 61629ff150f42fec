"""Undo after random histories of real changes, beside the live memories that were there before each change."""

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
    """Live memories before a change, and memories saved since."""

    live: set[UUID]
    saved: set[UUID] = field(factory=set)


class Histories(RuleBasedStateMachine):
    """State machine: undo reverses one change at a time, or refuses with a reason and changes nothing."""

    memories: "Bundle[Observation]" = Bundle("memories")

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()
        self.changes: list[Before] = []
        self.undone: list[UUID] = []
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

    def change(self) -> None:
        self.desk.clock.advance(timedelta(minutes=1))
        self.changes.append(Before(self.live))
        self.undone.clear()

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
        self.change()
        request = SaveRequest(
            text=f"new {self.desk.clock.now()}", replaces=replaced, everywhere=project != self.desk.project.id
        )
        return self.desk.saving(request).observation

    @rule(some=st.lists(memories, min_size=1, max_size=3, unique_by=lambda each: each.id), restores=st.booleans())
    def purge_or_restore(self, some: list[Observation], *, restores: bool) -> None:
        every = self.every()
        fit = [every[each.id] for each in some if each.id in every and every[each.id].purged == restores]
        # One call on both projects is two changes.
        ids = [str(each.id) for each in fit if each.project == fit[0].project]
        if ids:
            self.change()
            (self.desk.restore if restores else self.desk.purge)(self.desk.call, ids)

    @rule(one=consumes(memories))
    def erase(self, one: Observation) -> None:
        if one.id not in self.every():
            return
        self.desk.clock.advance(timedelta(minutes=1))
        self.desk.erase(self.desk.call, [str(one.id)])
        for each in self.changes:
            each.live.discard(one.id)
            each.saved.discard(one.id)
        self.undone.clear()

    @rule(target=memories)
    def import_with_a_trail(self) -> "MultipleResults[Observation] | Observation":
        self.change()
        project = self.desk.project.id
        by = signed(self.desk.clock.now())
        ids = (UUID(int=self.imports), UUID(int=self.imports + 1))
        self.imports += 2
        live, purged = (
            Draft(content=str(id)).observed(id=id, project=project, sequence=1, now=START) for id in ids
        )
        arrivals = [Arrival(observation=each) for each in (live, evolve(purged, purged_at=START))]
        entry = AuditEntry(id=UUID(int=self.imports), action=Action.IMPORT, by=by)
        self.desk.observations.take_over(arrivals, entry=entry)
        elsewhere = AuditEntry(
            id=UUID(int=self.imports + IMPORTED), action=Action.PURGE, by=signed(START), purged=ids[1:], count=1
        )
        self.desk.here.audit().add([elsewhere])
        return multiple(live, purged)

    @precondition(lambda self: not self.merged)
    @rule()
    def merge(self) -> None:
        self.change()
        MergeProjects(self.desk.storage, self.desk.projects)(self.desk.call, "old", "lovelace")

    def undone_or_not(self) -> tuple[NotUndoableError | None, Undone | None]:
        try:
            foreseen = self.desk.undo(self.desk.call, dry_run=True)
        except NotUndoableError as error:
            return error, None
        done = self.desk.undo(self.desk.call)
        # A merge foresees what it has moved, whatever was erased since.
        assert evolve(foreseen, number=done.number, moved=done.moved) == done
        return None, done

    @rule()
    def undo(self) -> None:
        self.desk.clock.advance(timedelta(minutes=1))
        before, trail = self.every(), self.desk.log(self.desk.call)
        # A change of memories that were all erased since is none.
        while self.changes and self.changes[-1].live | self.changes[-1].saved == self.live:
            self.changes.pop()
        refused, done = self.undone_or_not()
        if refused is not None:
            assert (self.every(), self.desk.log(self.desk.call)) == (before, trail)
            assert bool(refused.instead) == bool(self.changes)
            event("nothing to undo" if not self.changes else "past an erase")
            if not self.changes:
                return
            assert "erased memories are gone for good" in refused.reason
            number, everywhere = named_entry(refused.instead or "") or pytest.fail("no command")
            done = self.desk.undo(self.desk.call, number, everywhere=everywhere)
        went = self.changes.pop()
        assert self.live == went.live | went.saved
        assert done is not None
        assert done.number is not None
        self.undone.append(done.entry.id)

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        undone = self.undone.pop()
        # A merge brings older entries, and numbers rise with time: numbers from before it are those of others.
        names = (each.name for each in self.desk.log(self.desk.call) if each.entry.by.undoes == undone)
        number, everywhere = named_entry(next(names)) or pytest.fail("no name")
        self.desk.clock.advance(timedelta(minutes=1))
        self.changes.append(Before(self.live))
        self.desk.undo(self.desk.call, number, everywhere=everywhere)
        assert self.live != self.changes[-1].live

    def teardown(self) -> None:
        while self.changes:
            self.undo()


TestHistories = Histories.TestCase
TestHistories.settings = settings(max_examples=12, stateful_step_count=20)

"""Undo of all changes after an entry in random histories, and the undos that take it back."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from attrs import define, field
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lamella.application.audit.log import Logged
from lamella.application.audit.undo import Undone
from lamella.application.memories.save import SaveRequest
from lamella.application.projects.manage import MergeProjects, SplitProject
from lamella.domain.audit.entry import Action, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.errors import ProjectChangeError
from lamella.domain.memories.observation import Observation
from tests.unit.support.doubles import Desk, everything


@define
class History:
    """A project with few memories, another one to merge, and global memories."""

    data: st.DataObject
    desk: Desk = field(factory=Desk)

    def __attrs_post_init__(self) -> None:
        old = self.desk.at(directory=Path("/old"))
        old.purge(old.call, [str(old.save("purged elsewhere").id)])
        self.desk.save("here")
        self.desk.saving(SaveRequest(text="everywhere", everywhere=True))

    @property
    def every(self) -> list[Observation]:
        places = (self.desk.here, self.desk.projects.everywhere(self.desk.call))
        return [each for place in filter(None, places) for each in everything(place)]

    @property
    def live(self) -> list[Observation]:
        return [each for each in self.every if not each.purged]

    def log(self) -> tuple[Logged, ...]:
        return self.desk.log(self.desk.call, limit=1_000)

    def undone(self, name: str) -> None:
        self.desk.clock.advance(timedelta(minutes=1))
        number, everywhere = named_entry(name) or pytest.fail("no name")
        self.desk.undo(self.desk.call, number, everywhere=everywhere)

    def change(self) -> None:
        self.desk.clock.advance(timedelta(minutes=1))
        names = [each.name for each in self.log()]
        kinds = ["purge or restore", *(["replace"] if self.live else []), *(["undo"] * 3 if names else [])]
        kind = self.data.draw(st.sampled_from([*kinds, "merge or split"]))
        if kind == "undo":
            with suppress(NotUndoableError):
                self.undone(self.data.draw(st.sampled_from(names)))
        elif kind == "replace":
            old = self.data.draw(st.sampled_from(self.live))
            text, everywhere = f"new {self.desk.clock.now()}", old.project != self.desk.project.id
            self.desk.saving(SaveRequest(text=text, replaces=(str(old.id),), everywhere=everywhere))
        elif kind == "purge or restore":
            some = self.data.draw(st.lists(st.sampled_from(self.every), min_size=1, max_size=2))
            change = self.desk.restore if some[0].purged else self.desk.purge
            change(self.desk.call, [str(each.id) for each in some])
        else:
            try:
                MergeProjects(self.desk.storage, self.desk.projects)(self.desk.call, "old", "lovelace")
            except ProjectChangeError:
                SplitProject(self.desk.storage, self.desk.projects)(self.desk.call, "old")


@given(st.data())
@settings(max_examples=150)
def test_undos_as_printed_take_an_undo_of_several_changes_back(data: st.DataObject) -> None:
    history = History(data)
    for _ in range(data.draw(st.integers(3, 9))):
        history.change()
    names = [*(each.name for each in history.log()), "0", "e0"]
    live, done = {each.id for each in history.live}, list[Undone]()
    number, everywhere = named_entry(data.draw(st.sampled_from(names))) or pytest.fail("no name")
    history.desk.clock.advance(timedelta(minutes=1))
    with suppress(NotUndoableError):
        done.extend(history.desk.undo.after(history.desk.call, number, everywhere=everywhere))
    event(f"undone {min(len(done), 5)}")
    merged = False
    for each in reversed(done):
        printed = each.name(each.number or pytest.fail("no number"))
        # A merge moves entries into the trail, so that later ones get new numbers.
        now = next(log.name for log in history.log() if log.entry.by.undoes == each.entry.id)
        assert merged or now == printed
        history.undone(now)
        merged = merged or each.entry.action is Action.MERGE
    assert {each.id for each in history.live} == live

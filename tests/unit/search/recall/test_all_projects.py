"""Recall across projects."""

from pathlib import Path
from typing import Any

import pytest

from lamella.application.projects.switch import SwitchProject
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.query import ById, ByIds, ByText, Filters, Recent, Selector
from lamella.domain.replies.views import Detail
from tests.unit.capture.spools import InMemorySpool
from tests.unit.support.doubles import Desk

OTHER = Path("/srv/babbage")


@pytest.fixture
def desk() -> Desk:
    """Return a desk at one of two projects."""
    desk = Desk()
    desk.save("The engine has brass gears.", title="mine")
    desk.at(directory=OTHER).save("The engine has steel gears, oiled.", title="theirs")
    desk.save("Engines are loud.", title="always", everywhere=True)
    return desk


def listed(desk: Desk, selector: Selector | None = None, **more: Any) -> list[str]:
    reply = desk.recall(selector or Recent(), all_projects=True, **more)
    lines = reply.rpartition("\n---\n")[0].split("\n")
    return [f"{line.split(' | ')[1]}: {line.rpartition(' | ')[2]}" for line in lines]


def test_each_hit_names_its_project(desk: Desk) -> None:
    assert listed(desk) == ["always: everywhere", "theirs: project babbage", "mine: project lovelace"]
    asked = listed(desk, ByText("oiled engine gears"))
    assert asked == ["theirs: project babbage", "mine: project lovelace", "always: everywhere"]
    assert "babbage" not in desk.recall(ByText("oiled engine gears"))


def test_messages_of_all_projects_are_found_and_name_theirs(desk: Desk) -> None:
    desk.said("Are brass gears oiled?", session="a")
    desk.at(directory=OTHER).said("We oiled the gears.", session="b")
    found = listed(desk, ByText("oiled gears"), include_messages=True)
    asked, said = "Are brass gears oiled?: project lovelace", "We oiled the gears.: project babbage"
    assert sorted(found[2:]) == [asked, said]
    assert listed(desk, ByText("oiled gears"), include_messages=True, limit=1)[1:] == found[2:3]
    for detail in (Detail.FULL, Detail.TIMELINE):
        shown = desk.recall(ByText("oiled gears"), detail, include_messages=True, all_projects=True)
        assert [shown.count(f"project {name}") for name in ("lovelace", "babbage")] == [2, 2]
    assert "babbage" not in desk.recall(ByText("oiled gears"), include_messages=True)


def test_a_hit_of_another_project_is_shown_by_its_id(desk: Desk) -> None:
    full = desk.recall(ById("00000002"), Detail.FULL, all_projects=True)
    assert full.splitlines()[0].endswith(" | project babbage ---")
    assert listed(desk, ByIds(("00000002", "00000001")))[0] == "theirs: project babbage"
    with pytest.raises(NothingFoundError):
        desk.recall(ById("00000002"))


def test_the_neighbours_of_a_hit_are_those_of_its_project(desk: Desk) -> None:
    desk.at(directory=OTHER).save("Later.", title="later theirs")
    reply = desk.recall(ById("00000002"), Detail.TIMELINE, all_projects=True)
    assert ("later theirs" in reply, "mine" in reply) == (True, False)


def test_files_of_other_projects_are_not_compared_with_those_here(desk: Desk) -> None:
    there = desk.at(directory=OTHER)
    there.tree.texts["a.py"] = "old"
    there.save("about a file", paths=["a.py"])
    desk.tree.texts["a.py"] = "new"
    assert listed(desk, filters=Filters(path="a.py")) == ["about a file: project babbage"]


def test_a_project_in_which_memory_is_off_is_left_out(desk: Desk) -> None:
    there = desk.at(directory=OTHER)
    SwitchProject(desk.storage, desk.projects, desk.clock, InMemorySpool())(there.call, on=False)
    assert listed(desk) == ["always: everywhere", "mine: project lovelace"]


def test_a_call_that_is_confined_to_a_project_sees_no_other(desk: Desk) -> None:
    confined = desk.at(confined=True, default_project="lovelace")
    with pytest.raises(InvalidValueError):
        confined.recall(Recent(), all_projects=True)


def test_no_project_of_another_tenant_is_found(desk: Desk) -> None:
    other = Desk(storage=desk.storage.of_tenant("other")).at(directory=Path("/tenant/x"))
    assert "engine" not in other.recall(Recent(), all_projects=True)

import pytest
from attrs import evolve

from lamella.application.memories.get import FoundMemories
from lamella.domain.errors import UnknownProjectError
from tests.unit.support.doubles import Desk, desk_with
from tests.unit.support.stand_ins import numbered


def test_memories_come_in_the_order_asked_each_once() -> None:
    desk = desk_with("a", "b")
    found = desk.get(desk.call, [str(numbered(2)), numbered(1).hex, str(numbered(2)).upper()])
    assert found == FoundMemories(observations=(desk.kept(numbered(2)), desk.kept(numbered(1))), missing=())


def test_what_is_unknown_purged_or_no_full_id_is_missing() -> None:
    desk = desk_with("a", "b")
    desk.purge(desk.call, ["00000002"])
    missing = ("00000001", str(numbered(2)), str(numbered(3)), "x")
    found = desk.get(desk.call, [*missing, "x", str(numbered(1))])
    assert found == FoundMemories(observations=(desk.kept(numbered(1)),), missing=missing)


def test_where_nothing_was_saved_all_are_missing_and_an_unknown_project_is_an_error() -> None:
    desk = Desk()
    assert desk.get(desk.call, [str(numbered(1))]) == FoundMemories(observations=(), missing=(str(numbered(1)),))
    with pytest.raises(UnknownProjectError):
        desk.get(evolve(desk.call, project="nowhere"), [str(numbered(1))])

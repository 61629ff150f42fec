"""Undo of merges and splits, and of changes in projects that were merged."""

from pathlib import Path

from lamella.application.audit.undo import Undone
from lamella.application.projects.manage import MergeProjects, SplitProject
from lamella.domain.audit.entry import Action
from tests.unit.audit.desks import ONE, TWO, desk_with, live, refused
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import numbered


def merged(desk: Desk) -> Desk:
    """Merge the project of a desk into another one with a memory. Return the desk of that."""
    new = desk.at(directory=Path("/new"))
    new.save("new")
    MergeProjects(desk.storage, desk.projects)(new.call, "lovelace", "new")
    return new


def test_a_merge_is_undone_by_a_split_and_that_by_a_merge() -> None:
    desk = desk_with(1)
    new = merged(desk)
    assert new.undo(new.call, dry_run=True).moved == 1
    done = new.undo(new.call)
    assert (done.moved, live(desk), live(new)) == (1, ["memory 1"], ["new"])
    assert "undone by entry 2" in refused(new, 1)
    again = new.undo(new.call, done.number)
    assert (again.moved, live(desk)) == (1, ["memory 1", "new"])
    SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")
    assert isinstance(new.undo(new.call, dry_run=True), Undone)


def test_in_the_old_project_an_undo_of_its_merge_tells_the_number_of_its_own_log() -> None:
    old = desk_with(1)
    old.purge(old.call, [ONE])
    new = merged(old)
    done = old.undo(old.call)
    split, purge = old.log(old.call)
    assert [split.entry.action, purge.entry.action] == [Action.SPLIT, Action.PURGE]
    assert done.number == split.entry.number
    assert new.log(new.call)[0].entry.number != done.number
    assert old.undo(old.call, done.number).moved == 1
    assert live(old) == ["new"]


def test_an_undo_of_a_merge_tells_its_number_where_memory_is_off_again() -> None:
    old = desk_with(1)
    old.storage.registry.switch(old.project.id, on=False, now=old.clock.now())
    merged(old)
    assert old.undo(old.call).number is not None


def test_a_merge_that_was_split_by_hand_is_not_undone_again() -> None:
    desk = desk_with(1)
    new = merged(desk)
    SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")
    assert refused(new, 1) == (
        "Entry 1 cannot be undone: entry 2 has changed what it left. To undo that first: lamella undo 2"
    )
    assert [new.undo(new.call).entry.action for _ in range(2)] == [Action.SPLIT, Action.MERGE]


def test_memories_that_a_split_took_away_are_counted() -> None:
    desk = desk_with(1)
    new = merged(desk)
    new.purge(new.call, [ONE, TWO])
    SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")
    for dry_run in (True, False):
        done = new.undo(new.call, 2, dry_run=dry_run)
        assert (done.restored, done.gone) == ((numbered(2),), 1)


def test_a_change_whose_memories_a_split_took_away_is_not_undone() -> None:
    desk = desk_with(1)
    new = merged(desk)
    new.purge(new.call, [ONE])
    SplitProject(desk.storage, desk.projects)(desk.call, "lovelace")
    assert refused(new, 2) == (
        "Entry 2 cannot be undone: its memories are no longer as it left them. "
        "To see what was changed: lamella log"
    )

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from attrs import evolve

from lamella.application.memories.save import SaveRequest
from lamella.domain.audit.entry import Action, AuditEntry, entry_name, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.memories.observation import Draft
from lamella_contracts.fixtures.project import signed
from tests.unit.audit.desks import ONE, THREE, TWO, desk_with, live, refused
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import numbered


def actions(desk: Desk) -> list[str]:
    return [
        f"{each.entry.number} {each.entry.action}"
        + (f" undoes {each.undoes}" if each.undoes else "")
        + (f" undone by {each.undone_by}" if each.undone_by else "")
        for each in desk.log(desk.call)
    ]


def possible(desk: Desk, names: int = 50) -> frozenset[str]:
    return desk.undo.possible(desk.call, desk.log(desk.call, names=names), names=names)


def test_what_nothing_of_can_be_undone_is_not_possible() -> None:
    desk = desk_with(3)
    desk.purge(desk.call, [ONE, TWO])
    desk.purge(desk.call, [THREE])
    desk.restore(desk.call, [ONE, TWO])
    assert possible(desk) == {"3", "2"}
    desk.erase(desk.call, [THREE])
    assert possible(desk) == {"3"}
    # With more memories than are named, the others may be as the entry left them.
    assert possible(desk, names=1) == {"3", "1"}


def test_a_purge_is_undone_by_a_restore_and_that_by_a_purge() -> None:
    desk = desk_with(2)
    desk.purge(desk.call, [ONE, TWO])
    done = desk.undo(desk.call)
    assert (done.restored, done.purged, done.number) == ((numbered(1), numbered(2)), (), 2)
    assert live(desk) == ["memory 1", "memory 2"]
    assert desk.undo(desk.call, 2).purged == (numbered(1), numbered(2))
    assert actions(desk) == ["3 purge undoes 2", "2 restore undoes 1 undone by 3", "1 purge"]
    assert "undone by entry 3" in refused(desk, 2)
    assert possible(desk) == {"3", "1"}
    assert desk.undo(desk.call).entry.number == 1
    assert live(desk) == ["memory 1", "memory 2"]
    assert refused(desk).startswith("There is nothing to undo.")


def test_an_undo_is_signed_by_its_call_and_says_what_it_undoes() -> None:
    desk = desk_with(1)
    desk.purge(desk.call, [ONE])
    desk.at(actor="user", author="ada", session="later").undo(desk.call)
    undo, purge = (each.entry for each in desk.log(desk.call))
    assert purge.by.actor == "agent"
    assert purge.by.session == "session-1"
    assert undo.by.undoes == purge.id


def test_an_undone_edit_brings_the_old_memory_back_and_purges_the_new_one() -> None:
    desk = desk_with(1)
    desk.saving(SaveRequest(text="memory 1, corrected", replaces=(ONE,)))
    done = desk.undo(desk.call)
    assert (done.restored, done.purged) == ((numbered(1),), (numbered(2),))
    assert live(desk) == ["memory 1"]
    desk.save("another")
    desk.purge(desk.call, [THREE])
    desk.undo(desk.call, done.number)
    assert live(desk) == ["memory 1, corrected"]
    assert desk.kept(numbered(1)).replaced_by == numbered(2)
    desk.undo(desk.call, 4)
    assert live(desk) == ["memory 1"]


def test_what_was_changed_since_is_left_alone_and_named() -> None:
    desk = desk_with(4)
    desk.purge(desk.call, [ONE, TWO, THREE, "00000004"])
    desk.restore(desk.call, [ONE])
    desk.restore(desk.call, [TWO])
    desk.purge(desk.call, [TWO])
    desk.erase(desk.call, ["00000004"])
    before = live(desk)
    tried = desk.undo(desk.call, 1, dry_run=True)
    assert (live(desk), len(desk.log(desk.call))) == (before, 5)
    done = desk.undo(desk.call, 1)
    assert evolve(tried, number=done.number) == done
    assert (done.restored, done.changed_since) == ((numbered(3),), (numbered(1), numbered(2)))
    assert live(desk) == ["memory 1", "memory 3"]


def test_a_chain_of_edits_is_undone_link_by_link() -> None:
    desk = desk_with(1)
    for number, text in ((1, "second"), (2, "third")):
        desk.saving(SaveRequest(text=text, replaces=(str(numbered(number)),)))
    before = desk.everything
    assert refused(desk, 1) == (
        "Entry 1 cannot be undone: entry 2 has changed what it left. To undo that first: lamella undo 2"
    )
    assert desk.everything == before
    desk.undo(desk.call)
    assert live(desk) == ["second"]
    last = desk.undo(desk.call)
    assert live(desk) == ["memory 1"]
    desk.undo(desk.call, last.number)
    assert live(desk) == ["second"]
    assert desk.kept(numbered(1)).replaced_by == numbered(2)


def test_what_an_undo_left_alone_is_undone_when_its_turn_comes() -> None:
    desk = desk_with(2)
    desk.purge(desk.call, [ONE, TWO])
    desk.restore(desk.call, [ONE])
    assert desk.undo(desk.call, 1).changed_since == (numbered(1),)
    assert desk.undo(desk.call).entry.number == 2
    assert live(desk) == ["memory 2"]
    done = desk.undo(desk.call)
    assert (done.entry.number, done.restored, done.changed_since) == (1, (numbered(1),), ())


def test_undo_stops_at_an_erase_and_names_the_change_before_it() -> None:
    desk = desk_with(3)
    desk.purge(desk.call, [ONE])
    desk.purge(desk.call, [THREE])
    desk.undo(desk.call)
    desk.erase(desk.call, [TWO])
    gone = "cannot be undone: what was erased is gone for good."
    assert refused(desk, 4) == f"Entry 4 {gone} To see what was changed: lamella log"
    assert refused(desk) == f"The latest change, entry 4, {gone} To undo the change before it: lamella undo 1"
    assert live(desk) == ["memory 3"]
    assert desk.undo(desk.call, 1).restored == (numbered(1),)
    assert refused(desk) == f"The latest change, entry 4, {gone} To see what was changed: lamella log"
    assert "There is no entry 9." in refused(desk, 9)


def test_what_holds_everywhere_is_undone_from_any_project() -> None:
    desk = desk_with(1)
    other = desk.at(directory=Path("/other"))
    saved = desk.saving(SaveRequest(text="tabs", everywhere=True)).observation
    desk.purge(desk.call, [ONE])
    desk.clock.advance(timedelta(minutes=1))
    desk.purge(desk.call, [str(saved.id)])
    (logged,) = other.log(other.call, titles=1)
    assert (logged.name, logged.everywhere, logged.titles) == ("e1", True, {saved.id: "tabs"})
    assert [each.name for each in desk.log(desk.call)] == ["e1", "1"]
    assert possible(desk) == {"e1", "1"}
    assert desk.log.titles(desk.call, [saved.id, numbered(1)], everywhere=True) == {saved.id: "tabs"}
    assert refused(other, 1).startswith("There is no entry 1.")
    done = other.undo(other.call)
    assert (done.everywhere, done.restored, done.name(2)) == (True, (saved.id,), "e2")
    assert other.undo(other.call, 2, everywhere=True).purged == (saved.id,)
    with pytest.raises(NotUndoableError, match=r"Entry e2 was undone by entry e3\. .*: lamella undo e3"):
        other.undo(other.call, 2, everywhere=True)
    desk.undo(desk.call)
    assert desk.undo(desk.call).entry.number == 1
    assert live(desk) == ["memory 1"]
    hidden = evolve(desk, shows_everywhere=False)
    assert [each.name for each in hidden.log(hidden.call)] == ["2", "1"]
    with pytest.raises(NotUndoableError, match=r"There is no entry e1\."):
        hidden.undo(hidden.call, 1, everywhere=True)


@pytest.mark.parametrize("name", ["", "e", "0x1", "-1", "e-1", "²", "E1", "1" * 19])
def test_what_names_no_entry_is_none(name: str) -> None:
    assert named_entry(name) is None


@pytest.mark.parametrize(("number", "everywhere"), [(1, False), (12, True)])
def test_an_entry_is_found_by_its_name(number: int, *, everywhere: bool) -> None:
    assert named_entry(entry_name(number, everywhere=everywhere)) == (number, everywhere)


def test_an_import_of_many_memories_is_undone_in_one_go() -> None:
    desk = desk_with(600)
    ids = tuple(numbered(number) for number in range(1, 601))
    trail = desk.made_here.audit()
    trail.add([AuditEntry(id=UUID(int=9), action=Action.IMPORT, by=signed(), added=ids, count=len(ids))])
    done = desk.undo(desk.call)
    assert (done.purged, live(desk)) == (ids, [])
    assert desk.undo(desk.call, done.number).restored == ids


def test_what_an_import_brought_along_leads_to_no_undo_of_the_import() -> None:
    desk = desk_with(2)
    trail, ids = desk.made_here.audit(), (numbered(1), numbered(2))
    desk.purge(desk.call, [ONE])
    desk.restore(desk.call, [ONE])
    trail.add([AuditEntry(id=UUID(int=9), action=Action.IMPORT, by=signed(desk.clock.now()), added=ids, count=2)])
    brought = "cannot be undone: the import of entry 3 brought it along."
    assert refused(desk, 1) == f"Entry 1 {brought} To bring back what it purged: lamella restore ID"
    assert refused(desk, 2) == f"Entry 2 {brought} To see what was changed: lamella log"
    done = desk.undo(desk.call)
    assert (done.entry.action, done.purged) == (Action.IMPORT, ids)
    assert brought in refused(desk, 1)


def test_a_log_is_as_long_as_asked_for_and_finds_what_older_entries_undo() -> None:
    desk = desk_with(1)
    for _ in range(60):
        desk.purge(desk.call, [ONE])
        desk.restore(desk.call, [ONE])
    desk.undo(desk.call, 120)
    (latest,) = desk.log(desk.call, limit=1)
    assert (latest.entry.number, latest.undoes) == (121, 120)
    assert len(desk.log(desk.call, limit=1_000)) == 121
    assert Desk().log(desk.call) == ()


def test_what_another_process_changes_meanwhile_is_left_alone() -> None:
    desk = desk_with(2)
    desk.purge(desk.call, [ONE, TWO])

    class Meanwhile(type(desk.clock)):  # type: ignore[misc] # made of the class at hand
        def now(self) -> object:
            desk.observations.restore([numbered(1)], by=signed())
            return super().now()

    racing = evolve(desk, clock=Meanwhile())
    done = racing.undo(desk.call)
    assert (done.restored, done.changed_since) == ((numbered(2),), (numbered(1),))
    desk.purge(desk.call, [ONE])
    with pytest.raises(NotUndoableError, match="its memories are no longer as it left them"):
        racing.undo(racing.call)


def test_an_edit_that_is_edited_while_it_is_undone_stays_as_it_is() -> None:
    desk = desk_with(1)
    desk.saving(SaveRequest(text="second", replaces=(ONE,)))
    second = next(each for each in desk.everything if not each.purged)

    class Meanwhile(type(desk.clock)):  # type: ignore[misc] # made of the class at hand
        def now(self) -> object:
            draft = Draft(content="third", replaces=(second.id,))
            desk.observations.add(draft, id=numbered(3), now=super().now())
            return super().now()

    racing = evolve(desk, clock=Meanwhile())
    with pytest.raises(NotUndoableError, match="its memories are no longer as it left them"):
        racing.undo(racing.call)
    assert live(desk) == ["third"]


def test_the_log_of_a_memory_has_its_changes_with_few_names() -> None:
    desk = desk_with(3)
    desk.purge(desk.call, [ONE, TWO])
    desk.purge(desk.call, [THREE])
    (logged,) = desk.log(desk.call, memory=numbered(2), names=1)
    assert (logged.entry.number, logged.entry.purged, logged.entry.count) == (1, (numbered(1),), 2)

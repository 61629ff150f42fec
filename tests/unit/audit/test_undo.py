from collections.abc import Collection
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve

from lamella.application.audit import log, trail
from lamella.application.memories.save import SaveRequest
from lamella.domain.audit.entry import Action, AuditEntry, entry_name, named_entry
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.memories.observation import Draft
from lamella.domain.projects.project import Location
from lamella.ports.storage.audit import AuditTrail, Names
from lamella_contracts.fixtures.project import signed
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import numbered

ONE, TWO, THREE = "00000001", "00000002", "00000003"


def desk_with(count: int) -> Desk:
    desk = Desk()
    for number in range(1, count + 1):
        desk.save(f"memory {number}")
    return desk


def live(desk: Desk) -> list[str]:
    return [each.content for each in desk.everything if not each.purged]


def test_a_log_has_titles_where_they_are_asked_for() -> None:
    desk = desk_with(1)
    saved = desk.saving(SaveRequest(text="tabs", everywhere=True)).observation
    desk.purge(desk.call, [str(saved.id)])
    (logged,) = desk.log(desk.call, titles=1)
    assert (logged.everywhere, logged.titles) == (True, {saved.id: "tabs"})
    assert desk.log.titles(desk.call, [saved.id, numbered(1)], everywhere=True) == {saved.id: "tabs"}


def test_an_undo_is_signed_by_its_call_and_says_what_it_undoes() -> None:
    desk = desk_with(1)
    desk.purge(desk.call, [ONE])
    desk.at(actor="user", author="ada", session="later").undo(desk.call)
    latest, purge = (each.entry for each in desk.log(desk.call))
    assert purge.by.actor == "agent"
    assert purge.by.session == "session-1"
    assert latest.by.undoes == purge.id


@pytest.mark.parametrize("name", ["", "e", "0x1", "-1", "e-1", "²", "E1", "1" * 19])
def test_what_names_no_entry_is_none(name: str) -> None:
    assert named_entry(name) is None


@pytest.mark.parametrize(("number", "everywhere"), [(1, False), (12, True)])
def test_an_entry_is_found_by_its_name(number: int, *, everywhere: bool) -> None:
    assert named_entry(entry_name(number, everywhere=everywhere)) == (number, everywhere)


def test_an_import_of_many_memories_is_undone_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_BATCH", 5)
    desk = desk_with(12)
    ids = tuple(numbered(number) for number in range(1, 13))
    trail = desk.made_here.audit()
    trail.add([AuditEntry(id=UUID(int=9), action=Action.IMPORT, by=signed(), added=ids, count=len(ids))])
    done = desk.undo(desk.call)
    assert (done.purged, live(desk)) == (ids, [])
    assert desk.undo(desk.call, done.number).restored == ids


def test_undo_reads_only_the_needed_memories_of_a_long_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trail, "FEW", 3)
    desk = desk_with(12)
    ids = tuple(numbered(number) for number in range(1, 13))
    audit = desk.made_here.audit()
    brought = AuditEntry(id=UUID(int=8), action=Action.PURGE, by=signed(), purged=ids[6:8], count=2)
    imported = AuditEntry(id=UUID(int=9), action=Action.IMPORT, by=signed(), added=ids, count=len(ids))
    audit.add([brought, imported])
    read = [len(each.memories) for each in trail.needed_for(audit, 1)[0]]
    assert read == [2, 2]
    desk.purge(desk.call, ["00000001", "00000009"])
    entries, found = trail.needed_for(audit, 3)
    assert [each.memories for each in entries] == [ids[:9:8], (ids[0], *ids[6:9]), ids[6:8]]
    assert found == entries[0]
    with pytest.raises(NotUndoableError, match="imported by entry 2"):
        desk.undo(desk.call, 1)
    assert desk.undo(desk.call, 3, dry_run=True).restored == ids[:9:8]
    # These need all memories: the import itself, and any entry beside a second long one.
    assert [len(each.memories) for each in trail.needed_for(audit, 2)[0]] == [2, 12, 2]
    desk.purge(desk.call, [f"0000000{number}" for number in (2, 3, 4)])
    assert [len(each.memories) for each in trail.needed_for(audit, 3)[0]] == [3, 2, 12, 2]


def test_an_entry_made_while_a_long_import_is_read_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trail, "FEW", 3)
    desk = desk_with(5)
    ids = tuple(numbered(number) for number in range(1, 6))
    audit = desk.made_here.audit()
    audit.add([AuditEntry(id=UUID(int=8), action=Action.PURGE, by=signed(), purged=ids[:1], count=1)])
    audit.add([AuditEntry(id=UUID(int=9), action=Action.IMPORT, by=signed(), added=ids, count=len(ids))])

    read = type(audit).entries

    def meanwhile(self: AuditTrail, *, names: Names = None, **chosen: Any) -> object:
        if isinstance(names, Collection):
            desk.purge(desk.call, [TWO])
        return read(self, names=names, **chosen)

    monkeypatch.setattr(type(audit), "entries", meanwhile)
    assert [len(each.memories) for each in trail.needed_for(audit, 1)[0]] == [1, 5, 1]


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
    with pytest.raises(NotUndoableError, match="no longer in this log"):
        desk.undo(desk.call, str(numbered(1)))


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
    with pytest.raises(NotUndoableError, match="its memories have changed since"):
        racing.undo(racing.call)


@pytest.mark.parametrize("change", ["purge", "keep", "merge"])
def test_of_two_simultaneous_undos_the_second_undoes_the_change_before(change: str) -> None:
    desk = desk_with(2)
    desk.purge(desk.call, [TWO])
    if change == "merge":
        registry, other = desk.storage.registry, Location(key="other", name="other", root=Path("other"))
        registry.merge(
            registry.at(other, now=desk.clock.now()).id, desk.made_here.id, by=desk.projects.signature(desk.call)
        )
    elif change == "keep":
        desk.review.keep(desk.call, [ONE])
    else:
        desk.purge(desk.call, [ONE])

    class Meanwhile(type(desk.clock)):  # type: ignore[misc] # made of the class at hand
        undone: object = None

        def now(self) -> object:
            if self.undone is None:
                Meanwhile.undone = desk.undo(desk.call)
            return super().now()

    racing = evolve(desk, clock=Meanwhile())
    assert racing.undo(desk.call).restored == (numbered(2),)
    desk.undo(desk.call, 3)
    Meanwhile.undone = None
    with pytest.raises(NotUndoableError, match="Entry 2 was undone by entry 6"):
        racing.undo(desk.call, 2)


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
    with pytest.raises(NotUndoableError, match="its memories have changed since"):
        racing.undo(racing.call)
    assert live(desk) == ["third"]


def test_all_changes_after_an_entry_are_undone_together_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_with(8)
    for number in range(1, 9):
        desk.purge(desk.call, [f"0000000{number}"])
    ids = iter([*(numbered(100 + each) for each in range(6)), None])

    def last() -> UUID:
        found = next(ids)
        if found is None:
            desk.observations.restore([numbered(8)], by=signed())
        return found or numbered(106)

    with monkeypatch.context() as patched:
        patched.setattr(trail, "uuid4", last)
        with pytest.raises(NotUndoableError, match="changed meanwhile"):
            list(desk.undo.after(desk.call, 1))
    assert live(desk) == ["memory 8"]
    desk.purge(desk.call, ["00000008"])
    done = list(desk.undo.after(desk.call, 1))
    assert live(desk) == [f"memory {number}" for number in range(2, 9)]
    assert [each.number for each in done] == list(range(11, 20))
    assert [(*each.restored, *each.purged) for each in done] == [
        (numbered(memory),) for memory in (8, 8, 8, 7, 6, 5, 4, 3, 2)
    ]

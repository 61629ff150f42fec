"""Entries of the audit trail on their way from one storage to another."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.exchange.export import ExportRequest
from lamella.application.memories.save import SaveRequest
from lamella.domain.audit.entry import Action
from lamella.domain.audit.errors import NotUndoableError
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.domain.transactions.importing import ImportResult
from lamella.ports.storage.ledger import Capture
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.moving import elsewhere, exported, full_desk, imported
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN


def test_the_trail_of_memories_comes_along_and_can_be_taken_back() -> None:
    here, there = full_desk(), elsewhere()
    imported(there, exported(here))
    project = here.project.id
    before, after = (
        {each.action: each for each in desk.storage.audit(project).entries(limit=9)} for desk in (here, there)
    )
    assert set(after) == {Action.EDIT, Action.PURGE, Action.MERGE, Action.IMPORT}
    for action in (Action.EDIT, Action.PURGE):
        assert evolve(after[action], number=0) == evolve(before[action], number=0)


def test_a_log_marks_what_was_purged_before_its_import() -> None:
    here, there = Desk(), elsewhere()
    saved = here.save("One.")
    here.purge(here.call, [str(saved.id)])
    there.clock.advance(timedelta(hours=1))
    imported(there, exported(here))
    call = there.at(project=here.project.name).call
    with pytest.raises(NotUndoableError, match="Entry 3 cannot be undone: its memories are purged already"):
        there.undo(call, 3)
    live = here.save("Two.")
    imported(there, exported(here))
    there.clock.advance(timedelta(hours=1))
    there.purge(call, [str(live.id)])
    arrived = [(each.entry.action, *each.arrived_purged) for each in there.log(call, titles=2)]
    assert arrived == [(Action.PURGE,), (Action.IMPORT,), (Action.IMPORT, saved.id), (Action.PURGE,)]


def test_the_numbers_of_the_log_rise_with_time_after_an_interrupted_import() -> None:
    here, there = full_desk(), elsewhere()
    records = exported(here)
    there.clock.advance(timedelta(hours=1))
    imported(there, records[: next(place for place, each in enumerate(records) if isinstance(each, Audited)) - 1])
    there = there.at(project=here.project.id)
    there.clock.advance(timedelta(hours=1))
    there.purge(there.call, [str(next(each.id for each in there.everything if not each.purged))])
    there.clock.advance(timedelta(hours=1))
    imported(there, records)
    entries = there.storage.audit(here.project.id).entries(limit=9)
    assert [each.by.at for each in entries] == sorted((each.by.at for each in entries), reverse=True)
    assert [each.number for each in entries] == sorted((each.number for each in entries), reverse=True)
    assert {each.action for each in entries} >= {Action.IMPORT, Action.PURGE, Action.EDIT}


def test_a_part_of_the_memories_comes_without_the_trail() -> None:
    for request in (ExportRequest(kinds=frozenset({Kind.NOTE})), ExportRequest(include_purged=False)):
        assert not any(isinstance(each, Audited) for each in exported(full_desk(), request))


def test_an_entry_from_the_future_is_refused() -> None:
    records = exported(full_desk())
    entry = next(each for each in records if isinstance(each, Audited))
    later = evolve(entry, entry=evolve(entry.entry, by=signed(DAWN + timedelta(days=900), author="Ada")))
    with pytest.raises(UnreadableExportError, match="the entry is from the future"):
        imported(elsewhere(), [each if each is not entry else later for each in records])


def test_nothing_is_imported_into_a_project_in_which_memory_is_off() -> None:
    there, records = elsewhere(), exported(full_desk())
    imported(there, records[:3])
    third = there.storage.registry.named("third")
    there.storage.registry.switch(third.id, on=False, now=DAWN)
    account = imported(there, records)
    assert account.off == {"third": 2}
    assert there.storage.observations(third.id).page(limit=9) == ()
    assert account.memories == 7


def test_markdown_carries_the_trail(tmp_path: Path) -> None:
    records = exported(full_desk(), ExportRequest(every_project=True))
    list(MarkdownFolder(tmp_path / "notes").write(records))
    (tmp_path / "notes" / "trail.jsonl").write_text('{"mine": true}\n', "utf-8")
    read = list(MarkdownFolder(tmp_path / "notes").read())
    entries = [each for each in records if isinstance(each, Audited)]
    assert len(entries) == 2
    assert [each for _, each in read if isinstance(each, Audited)] == entries
    there = elsewhere()
    imported(there, [each for _, each in read])
    again = exported(there, ExportRequest(every_project=True))
    assert [each for each in again if isinstance(each, Audited)] == entries


def test_a_trail_that_was_cut_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    list(MarkdownFolder(tmp_path / "notes").write(exported(full_desk(), ExportRequest(every_project=True))))
    (trail,) = tmp_path.rglob("trail.jsonl")
    trail.write_bytes(trail.read_bytes()[:-5])
    read = [each for _, each in MarkdownFolder(tmp_path / "notes").read()]
    assert [type(each) for each in read[-3:]] == [Audited, Audited, UnreadableExportError]
    assert str(read[-1]).endswith("/trail.jsonl, Line 4: it is truncated.")


def test_the_lines_of_aged_edits_come_along_and_a_second_export_is_the_same() -> None:
    here, there = full_desk(), elsewhere()
    change = CodeChange(path="a.py", additions=0, deletions=1, hunks="@@ -1 +0,0 @@\n-attempts = retried(call, 4)")
    draft = Draft(content="An edit", title="An edit", source=EDITED, kind=Kind.CHANGE, changes=(change,))
    ledger = here.storage.ledger(here.project.id)
    ledger.record([Capture(id=here.ids.new(), draft=draft, at=DAWN)])
    ledger.age(DAWN + timedelta(days=1), limit=9)
    fingerprints = line_fingerprints([change])[0].removed
    before = ledger.removals("a.py", fingerprints)
    lines = b"".join(json_lines.written(exported(here)))
    imported(there, [record for _, record in json_lines.read(BytesIO(lines))])
    assert there.storage.ledger(here.project.id).removals("a.py", fingerprints) == before != ()
    assert b"".join(json_lines.written(exported(there))) == lines


def test_what_was_erased_here_does_not_come_back() -> None:
    here, records = full_desk(), exported(full_desk())
    first, second, *_ = here.everything
    here.observations.erase([first.id], by=signed())
    here.purge(here.call, [str(second.id)])
    for dry_run in (True, False):
        account = imported(here, records, dry_run=dry_run)
        assert (account.memories, account.erased, account.purged >= 1) == (0, 1, True)
    assert first.id not in [each.id for each in here.everything]


def test_a_storage_that_erases_nothing_knows_what_it_has() -> None:
    desk = full_desk()
    ids = [each.id for each in desk.everything]
    known = ObservationStorage.known(desk.observations, ids)
    assert known == desk.observations.known(ids)
    assert set(known.values()) == {ImportResult.KNOWN, ImportResult.PURGED}


def test_what_was_purged_or_replaced_elsewhere_since_is_purged_by_the_next_import() -> None:
    here, there = Desk(), elsewhere()
    kept, purged, old, mine = (here.save(text) for text in ("kept", "purged", "old", "restored there"))
    imported(there, exported(here))
    new = here.saving(SaveRequest(text="new", replaces=(str(old.id),))).observation
    here.purge(here.call, [str(purged.id), str(mine.id)])
    records, landed = exported(here), there.storage.observations(here.project.id)
    landed.purge([mine.id], by=signed(here.clock.now()))
    landed.restore([mine.id], by=signed(here.clock.now() + timedelta(minutes=1)))
    assert imported(there, records).followed == 2
    after = landed.get_all([kept.id, purged.id, old.id, mine.id, new.id])
    assert [each.purged for each in after.values()] == [False, True, True, False, False]
    assert after[old.id].replaced_by == new.id
    assert imported(there, records).followed == 0
    there = there.at(project=here.project.id)
    there.clock.advance(timedelta(hours=1))
    there.undo(there.call)
    assert landed.get_all([new.id])[new.id].purged
    assert not any(each.purged for each in landed.get_all([purged.id, old.id]).values())
    assert imported(there, records).followed == 0


def test_a_memory_that_an_import_restores_does_not_count_as_purged() -> None:
    here, there = Desk(), elsewhere()
    back, gone = here.save("back"), here.save("gone")
    imported(there, exported(here))
    landed = there.storage.observations(here.project.id)
    landed.purge([back.id, gone.id], by=signed(here.clock.now()))
    here.clock.advance(timedelta(hours=1))
    here.purge(here.call, [str(back.id)])
    here.restore(here.call, [str(back.id)])
    account = imported(there, exported(here))
    assert (account.known, account.restored, account.purged) == (2, 1, 1)


def test_an_erasure_elsewhere_is_told_and_not_repeated() -> None:
    here, there = Desk(), elsewhere()
    gone = here.save("gone")
    here.observations.erase([here.save("gone before").id], by=signed())
    here.save("kept")
    imported(there, exported(here))
    assert imported(there, exported(here)).erased_there == 0
    here.observations.erase([gone.id], by=signed())
    for dry_run in (True, False, False):
        assert imported(there, exported(here), dry_run=dry_run).erased_there == 1
    trail = there.storage.audit(here.project.id).entries(limit=9)
    assert [each.action for each in trail].count(Action.ERASE) == 1
    assert not there.storage.observations(here.project.id).get_all([gone.id])[gone.id].purged


def test_undoing_an_import_names_what_came_purged_already() -> None:
    here, there = full_desk(), elsewhere()
    imported(there, [each for each in exported(here) if not isinstance(each, Audited)])
    there = there.at(project=here.project.id)
    entry = next(
        each for each in there.storage.audit(here.project.id).entries(limit=9) if each.action is Action.IMPORT
    )
    done = there.undo(there.call, entry.number, dry_run=True)
    purged = {each.id for each in there.everything if each.purged}
    assert (set(done.already), done.changed_since) == (purged, ())


def test_the_parts_of_an_import_stay_apart_in_merged_projects() -> None:
    here, there = Desk(), elsewhere()
    here.save("one")
    other = here.at(directory=Path("/srv/other"))
    other.save("two")
    imported(there, exported(here))
    there.storage.registry.merge(other.project.id, here.project.id, by=signed())
    trail = there.storage.audit(here.project.id).entries(limit=9)
    assert sorted(each.action for each in trail) == [Action.IMPORT, Action.IMPORT, Action.MERGE]

"""Entries of the audit trail on their way from one storage to another."""

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from attrs import evolve

from lamella.application.exchange.export import ExportRequest
from lamella.domain.audit.entry import Action
from lamella.domain.exchange import json_lines
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited
from lamella.domain.ledger.describe import line_fingerprints
from lamella.domain.memories.kind import EDITED
from lamella.domain.memories.observation import CodeChange, Draft, Kind
from lamella.ports.storage.ledger import Capture
from lamella.ports.storage.observations import ObservationStorage, TakenOver
from lamella_adapters.cli.exchange.folder import MarkdownFolder
from lamella_contracts.fixtures.project import signed
from tests.unit.exchange.moving import elsewhere, exported, full_desk, imported
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


def test_a_part_of_the_memories_comes_without_the_trail() -> None:
    for request in (ExportRequest(kind=Kind.NOTE), ExportRequest(include_purged=False)):
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


def test_a_trail_that_was_cut_is_refused_by_its_name(tmp_path: Path) -> None:
    list(MarkdownFolder(tmp_path / "notes").write(exported(full_desk(), ExportRequest(every_project=True))))
    (trail,) = tmp_path.rglob("trail.jsonl")
    trail.write_bytes(trail.read_bytes()[:-5])
    with pytest.raises(UnreadableExportError, match=r"/trail\.jsonl, Line 4: it is cut off\."):
        list(MarkdownFolder(tmp_path / "notes").read())


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
    assert set(known.values()) == {TakenOver.KNOWN, TakenOver.PURGED}

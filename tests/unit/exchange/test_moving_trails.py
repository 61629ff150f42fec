"""Entries of the audit trail on their way from one storage to another."""

from datetime import timedelta

import pytest
from attrs import evolve

from lamella.application.exchange.export import ExportRequest
from lamella.domain.audit.entry import Action
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Audited
from lamella.domain.memories.observation import Kind
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

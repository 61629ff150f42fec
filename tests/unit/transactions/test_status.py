"""Decisions about purging and restoring."""

from uuid import UUID

import pytest

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.transactions.look import Status
from lamella.domain.transactions.plan import AddEntry, NameInEntry, SetStatus
from lamella.domain.transactions.status import StatusChange, StatusThere, decide_followed, decide_status
from tests.unit.transactions.tiny import ENTRY, MINUTE, START, facts, signed

LIVE, PURGED, UNKNOWN = UUID(int=1), UUID(int=2), UUID(int=3)
BOTH = facts(statuses={LIVE: Status(purged=False), PURGED: Status(purged=True)})
DONE, ALREADY, NOT_FOUND = StatusChange.DONE, StatusChange.ALREADY, StatusChange.NOT_FOUND
LATER = START + MINUTE


def test_each_id_has_an_outcome_in_order() -> None:
    plan, outcomes = decide_status(BOTH, purge=(LIVE, UNKNOWN, PURGED, LIVE), entry=ENTRY, by=signed())
    entry = AuditEntry(id=ENTRY, action=Action.PURGE, by=signed(), purged=(LIVE,), count=1)
    assert plan == (SetStatus(ids=(LIVE,), at=START, purged=True), AddEntry(entry))
    assert outcomes == (DONE, NOT_FOUND, ALREADY, ALREADY)


def test_a_restore_is_an_entry_of_its_own_kind() -> None:
    plan, outcomes = decide_status(BOTH, restore=(PURGED, LIVE), entry=ENTRY, by=signed())
    entry = AuditEntry(id=ENTRY, action=Action.RESTORE, by=signed(), restored=(PURGED,), count=1)
    assert plan == (SetStatus(ids=(PURGED,), at=START, purged=False), AddEntry(entry))
    assert outcomes == (DONE, ALREADY)


def test_a_swap_is_one_edit() -> None:
    plan, outcomes = decide_status(
        BOTH, purge=(LIVE,), restore=(PURGED,), replaced_by=PURGED, entry=ENTRY, by=signed()
    )
    entry = AuditEntry(id=ENTRY, action=Action.EDIT, by=signed(), purged=(LIVE,), restored=(PURGED,), count=2)
    assert plan == (
        SetStatus(ids=(LIVE,), at=START, purged=True, replaced_by=PURGED),
        SetStatus(ids=(PURGED,), at=START, purged=False),
        AddEntry(entry),
    )
    assert outcomes == (DONE, DONE)


def test_a_swap_whose_memory_was_purged_meanwhile_changes_nothing() -> None:
    statuses = {**BOTH.statuses, UNKNOWN: Status(purged=True, replaced_by=LIVE)}
    outcomes = decide_status(
        facts(statuses=statuses), purge=(LIVE, UNKNOWN), restore=(PURGED,), entry=ENTRY, by=signed()
    )
    assert outcomes == ((), (StatusChange.LEFT, ALREADY, StatusChange.LEFT))


def test_what_is_already_so_is_no_change() -> None:
    assert decide_status(BOTH, purge=(PURGED,), restore=(LIVE,), entry=ENTRY, by=signed()) == (
        (),
        (ALREADY, ALREADY),
    )
    assert decide_status(BOTH, entry=ENTRY, by=signed()) == ((), ())


@pytest.mark.parametrize("minutes", [-1, 1])
def test_an_entry_is_never_before_the_latest(minutes: int) -> None:
    logged = START + minutes * MINUTE
    plan, _ = decide_status(facts(statuses=BOTH.statuses, logged=logged), purge=(LIVE,), entry=ENTRY, by=signed())
    (written,) = [each.entry for each in plan if isinstance(each, AddEntry)]
    assert written.by == signed(max(minutes, 0))


def test_statuses_of_another_storage_become_part_of_an_import() -> None:
    entry = AuditEntry(id=ENTRY, action=Action.IMPORT, by=signed())
    there = [
        StatusThere(id=LIVE, at=LATER, replaced_by=PURGED),
        StatusThere(id=PURGED, at=LATER, purged=False),
        StatusThere(id=UNKNOWN, at=LATER),
    ]
    assert decide_followed(there, entry, BOTH)[0] == (
        SetStatus(ids=(LIVE,), at=LATER, purged=True, replaced_by=PURGED),
        SetStatus(ids=(PURGED,), at=LATER, purged=False),
        AddEntry(entry),
        NameInEntry(entry=ENTRY, purged=(LIVE,), restored=(PURGED,)),
    )


def test_statuses_equal_to_those_of_another_storage_are_no_part_of_an_import() -> None:
    entry = AuditEntry(id=ENTRY, action=Action.IMPORT, by=signed())
    there = [StatusThere(id=LIVE, at=LATER, purged=False), StatusThere(id=PURGED, at=LATER)]
    assert decide_followed(there, entry, BOTH)[0] == (
        SetStatus(ids=(PURGED,), at=LATER, purged=False),
        SetStatus(ids=(PURGED,), at=LATER, purged=True),
    )

"""Decisions about purging and restoring."""

from typing import Any
from uuid import UUID

import pytest

from lamella.domain.audit.entry import Action, AuditEntry
from lamella.domain.transactions.look import Facts, Status
from lamella.domain.transactions.other_writes import AddEntry, NameInEntry  # noqa: F401 - for the tables
from lamella.domain.transactions.plan import Plan, SetStatus  # noqa: F401 - for the tables
from lamella.domain.transactions.status import StatusChange, StatusThere, decide_followed, decide_status
from tests.unit.support.tables import cases
from tests.unit.transactions.tiny import ENTRY, MINUTE, START, facts, signed

LIVE, PURGED, UNKNOWN = UUID(int=1), UUID(int=2), UUID(int=3)
BOTH = facts(statuses={LIVE: Status(False, "p"), PURGED: Status(True, "p")})
DONE, ALREADY, NOT_FOUND = StatusChange.DONE, StatusChange.ALREADY, StatusChange.NOT_FOUND
LATER = START + MINUTE


def entry(action: Action, **fields: Any) -> AuditEntry:
    """Return the entry of a change."""
    return AuditEntry(id=ENTRY, action=action, by=signed(), **fields)


@cases
def test_each_id_has_an_outcome_and_what_changes_has_one_entry(
    there: Facts, asked: dict[str, Any], plan: Plan, outcomes: tuple[StatusChange, ...]
) -> None:
    assert decide_status(there, **asked, entry=ENTRY, by=signed()) == (plan, outcomes)


@pytest.mark.parametrize("minutes", [-1, 1])
def test_an_entry_is_never_before_the_latest(minutes: int) -> None:
    logged = START + minutes * MINUTE
    plan, _ = decide_status(facts(statuses=BOTH.statuses, logged=logged), purge=(LIVE,), entry=ENTRY, by=signed())
    (written,) = [each.entry for each in plan if isinstance(each, AddEntry)]
    assert written.by == signed(max(minutes, 0))


@cases
def test_statuses_of_another_storage_become_part_of_an_import_unless_they_are_equal(
    there: list[StatusThere], plan: Plan
) -> None:
    assert decide_followed(there, entry(Action.IMPORT), BOTH)[0] == plan

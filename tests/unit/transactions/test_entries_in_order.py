"""Entries of an audit trail are in order of time, or the plan says that they are not."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from lamella.domain.audit.entry import Action, AuditEntry, Signature
from lamella.domain.transactions.auditing import in_order, is_disordered
from lamella.domain.transactions.look import Facts
from lamella.ports.storage.observations import ObservationStorage
from tests.unit.support.doubles import Desk
from tests.unit.support.tables import cases

NOW = datetime(2024, 5, 6, tzinfo=UTC)


def entry(minute: int) -> AuditEntry:
    by = Signature(at=NOW + timedelta(minutes=minute), actor="user")
    return AuditEntry(id=UUID(int=minute), action=Action.PURGE, by=by, count=1)


@cases
def test_a_plan_is_disordered_where_an_entry_is_older_than_one_before(
    logged: int | None, minutes: Sequence[int], *, expected: bool
) -> None:
    entries = [entry(each) for each in minutes]
    assert is_disordered(entries, None if logged is None else entry(logged).by.at) is expected


def test_an_entry_is_never_older_than_the_latest() -> None:
    latest = Facts(project="p", sequence=0, logged=entry(5).by.at)
    assert [in_order(entry(each), latest).by.at for each in (4, 6)] == [entry(5).by.at, entry(6).by.at]
    assert in_order(entry(4), Facts(project="p", sequence=0)) == entry(4)


def test_a_storage_that_erases_nothing_has_no_marks() -> None:
    assert ObservationStorage.erased(Desk().observations) == frozenset()

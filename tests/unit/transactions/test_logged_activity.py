"""Activity is logged, and what is a quarter older goes."""

from datetime import UTC, datetime, timedelta

from lamella.domain.audit.activity import Activity, ActivityKind
from lamella.domain.transactions.auditing import decide_log
from lamella.domain.transactions.look import Facts
from lamella.domain.transactions.other_writes import LogActivity
from tests.unit.support.doubles import Desk

NOW = datetime(2024, 5, 6, tzinfo=UTC)


def test_entries_stay_a_year_beside_the_latest() -> None:
    entries = tuple(
        Activity(name=f"a{day}", at=NOW + timedelta(days=day), kind=ActivityKind.SKIPPED, about="why")
        for day in (1, 0)
    )
    log = LogActivity(entries=entries, oldest=NOW - timedelta(days=365), origin="p")
    assert decide_log(entries, Facts(project="p", sequence=0)) == ((log,), None)


def test_no_entries_need_no_transaction() -> None:
    desk = Desk()
    desk.save("said")
    log = desk.made_here.activity()
    log.add([])
    assert log.since(datetime.min.replace(tzinfo=UTC)) == ()

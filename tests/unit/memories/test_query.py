from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, RecallQuery, days


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="limit"):
        RecallQuery(limit=0)


def test_storage_is_asked_with_completed_filters_only() -> None:
    with pytest.raises(ValueError, match="filters must be completed"):
        RecallQuery(filters=Filters(days_back=3))


def test_days_begin_and_end_at_midnight_in_their_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert days(date(2026, 1, 31), date(2026, 1, 31), tokyo) == (
        datetime(2026, 1, 30, 15, tzinfo=UTC),
        datetime(2026, 1, 31, 15, tzinfo=UTC),
    )
    assert days(None, None, tokyo) == (None, None)


def test_the_later_of_two_earliest_times_holds() -> None:
    now = datetime(2026, 1, 31, tzinfo=UTC)
    since = [Filters(days_back=10, since=now - timedelta(days=age)).completed(now).since for age in (20, 10, 5)]
    assert since == [now - timedelta(days=10), now - timedelta(days=10), now - timedelta(days=5)]


def test_what_is_looked_for_has_no_lone_surrogates() -> None:
    asked = (ByText("a\ud800").text, ByTitle("a\ud800").part, ById("a\ud800").id, ByIds(("a\ud800", "b")).ids)
    assert asked == ("a\ufffd", "a\ufffd", "a\ufffd", ("a\ufffd", "b"))

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from lamella.domain.memories.query import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_QUERY_CHARACTERS,
    ById,
    ByIds,
    ByText,
    ByTitle,
    Filters,
    Mode,
    RecallQuery,
    Recent,
    days,
)


def test_the_limits_are_those_of_the_tools() -> None:
    assert (MAX_QUERY_CHARACTERS, MAX_LIMIT, DEFAULT_LIMIT) == (4_000, 50, 10)


def test_a_query_of_nothing_asks_for_the_ten_most_recent() -> None:
    assert RecallQuery() == RecallQuery(selector=Recent(), filters=Filters(), limit=10, include_purged=False)


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


def test_words_are_looked_for_in_every_way_there_is() -> None:
    assert ByText("zebra").mode is Mode.AUTO


def test_what_is_looked_for_has_no_lone_surrogates() -> None:
    asked = (ByText("a\ud800").text, ByTitle("a\ud800").part, ById("a\ud800").id, ByIds(("a\ud800", "b")).ids)
    assert asked == ("a\ufffd", "a\ufffd", "a\ufffd", ("a\ufffd", "b"))

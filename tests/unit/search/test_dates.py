"""Dates in words: those of what is indexed, and those that a question names."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lamella.domain.search.date_tables import TABLES
from lamella.domain.search.dates import MOST_DAYS, MOST_MONTHS, in_utc, is_date_word, named_dates
from lamella.domain.search.indexing import date_words, spoken_date
from tests.unit.support.tables import cases

SUNDAY = date(2026, 11, 22)
PHRASES = [line.partition("\t")[0] for line in Path(__file__).with_suffix(".txt").read_text("utf-8").split("\n")]
"""Words of all tables."""


phrases = st.lists(
    st.one_of(
        st.sampled_from(
            sorted(
                {
                    re.sub(r"[^\w' -]", " ", name)
                    for table in TABLES
                    for field in table[1:]
                    for names in ([field] if isinstance(field, str) else field)
                    for name in names.split("|")
                }
            )
        ),
        st.sampled_from(["2", "999", "000", "2026-02-31", "1900", "2099-12-31", "since", "last", "in", "ago"]),
        st.text(max_size=5),
    ),
    max_size=12,
).map(" ".join)


class TestDatesOfWhatIsIndexed:
    def test_a_date_is_indexed_as_figures_and_in_words(self) -> None:
        assert date_words(datetime(2023, 5, 7, 12, tzinfo=UTC)) == "2023-05-07 7 May 2023"

    def test_it_is_that_of_utc(self) -> None:
        assert spoken_date(datetime(2023, 5, 31, 23, tzinfo=timezone(timedelta(hours=-2)))) == "1 June 2023"


class TestDatesThatAQuestionNames:
    @cases
    def test_a_day(self, question: str, day: str) -> None:
        assert named_dates(question, SUNDAY).dates == (day,)

    @cases
    def test_every_day_of_a_short_range(self, question: str, ends: tuple[str, str]) -> None:
        first, last = map(date.fromisoformat, ends)
        days = tuple((first + timedelta(number)).isoformat() for number in range((last - first).days + 1))
        assert named_dates(question, SUNDAY).dates == days

    @cases
    def test_months_and_years(self, question: str, names: tuple[str, ...]) -> None:
        assert named_dates(question, SUNDAY).dates == names

    @cases
    def test_nothing_where_there_is_no_date(self, question: str) -> None:
        assert named_dates(question, SUNDAY).dates == ()

    def test_a_leap_day_has_a_day_before_and_a_year_before(self) -> None:
        leap_day = date(2024, 2, 29)
        found = [named_dates(question, leap_day).dates for question in ("a year ago", "a month ago", "yesterday")]
        assert found == [("2023",), ("January 2024",), ("2024-02-28",)]

    @settings(max_examples=30, deadline=None)
    @given(phrases, st.dates())
    def test_no_question_raises_or_names_too_many(self, question: str, today: date) -> None:
        names = named_dates(question, today).dates
        shapes = [re.fullmatch(r"\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d+|\d+", name) for name in names]
        assert all(shapes)

    @given(st.sampled_from(PHRASES), st.dates())
    def test_one_phrase_names_a_few(self, question: str, today: date) -> None:
        assert len(named_dates(question, today).dates) <= max(MOST_DAYS, MOST_MONTHS)


class TestDateWords:
    @cases
    def test_months_years_and_dates_are(self, word: str) -> None:
        assert is_date_word(word)

    @cases
    def test_other_words_are_not(self, word: str) -> None:
        assert not is_date_word(word)

    @cases
    def test_dates_take_the_place_of_what_names_them(
        self, question: str, left: str, dates: tuple[str, ...]
    ) -> None:
        assert named_dates(question, SUNDAY) == (left, dates)

    @pytest.mark.parametrize("question", ["on fr\u0131day", "on FR\u0130DAY", "in augu\u017ft"])
    def test_letters_that_only_fold_to_others_raise_nothing(self, question: str) -> None:
        assert named_dates(question, SUNDAY).dates

    @pytest.mark.parametrize(("hours", "day"), [(0, ()), (-8, ("2026-11-22",)), (9, ("2026-11-20",))])
    def test_a_local_day_is_on_two_days_of_utc(self, hours: int, day: tuple[str, ...]) -> None:
        assert in_utc(("2026-11-21",), timedelta(hours=hours)) == ("2026-11-21", *day)
        assert in_utc(("October 2026",), timedelta(hours=hours)) == ("October 2026",)

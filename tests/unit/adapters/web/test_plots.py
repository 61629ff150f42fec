"""Plots of the pages."""

from datetime import date, timedelta

from lamella_adapters.web.rendering.plots import calendar


def test_days_with_more_memories_are_darker_and_no_shade_is_left_out() -> None:
    counts = [1, 1, 1, 2, 2, 2, 2, 3, 5]
    days = calendar({date(2026, 1, 5) + timedelta(number): count for number, count in enumerate(counts)}).days
    assert [shade for *_, shade in days] == [1, 1, 1, 2, 2, 2, 2, 3, 4]

"""Plots of the pages."""

from datetime import date, timedelta

from lamella_adapters.web.rendering.plots import Bar, bars, calendar


def test_days_with_more_memories_are_darker_and_no_shade_is_left_out() -> None:
    counts = [1, 1, 1, 2, 2, 2, 2, 3, 5]
    days = calendar({date(2026, 1, 5) + timedelta(number): count for number, count in enumerate(counts)}).days
    assert [shade for *_, shade in days] == [1, 1, 1, 2, 2, 2, 2, 3, 4]


def test_a_narrow_screen_shows_the_half_of_the_chosen_bar() -> None:
    plots = [bars("", [Bar("", (1,), chosen=number == chosen) for number in range(4)]) for chosen in (1, 2, None)]
    assert [plot.early for plot in plots] == [True, False, False]

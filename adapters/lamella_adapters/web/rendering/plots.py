"""Plots for the template `plot.html`, drawn as SVG. The style sheet sets the colours of CSS classes.

Horizontal positions in a bar plot are in per cent. So the plot fills the page, and its text has a constant size.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate

from attrs import frozen

HEIGHT = 170
_FOOT, _HEAD = 26, 24
_LABELS, _NARROW_LABELS = 6, 3
"""Maximum number of labels below the bars, on a wide and on a narrow screen."""

_WIDEST = 6.7
"""Maximum width of a bar in per cent, used if there are few bars."""

_PIN = 22
"""Height of a row of pins above the bars."""

_WEEKS, DAYS_OF_WEEK = 53, 7
_CELL, _SIDE, _LEFT, _TOP = 18, 15, 34, 22
_LEVELS = 4
"""Number of shades for days of a calendar. Days with the number zero have no shade."""


@frozen
class Bar:
    """A bar of parts, from the axis outwards.

    Attributes:
        label: Name of the bar.
        up: Sizes of the parts above the axis.
        down: Sizes of the parts below the axis.
        link: URL to open on a click; empty without a link.
        says: Description, for screen readers and on hover.
        chosen: True if the page shows the details of this bar.
        pins: Number, URL and name of each link above the bar.
        mark: Name of an event at the beginning of the bar, such as a rename; empty without an event.
    """

    label: str
    up: Sequence[int]
    down: Sequence[int] = ()
    link: str = ""
    says: str = ""
    chosen: bool = False
    pins: Sequence[tuple[int, str, str]] = ()
    mark: str = ""


@frozen
class Column:
    """Bar with its position and size in the plot.

    Attributes:
        bar: The bar.
        left, width: Horizontal position and width, in per cent.
        parts: Top, height and class of each rectangle of the bar.
        pins: Height, number, URL and name of each pin above the bar.
    """

    bar: Bar
    left: float
    width: float
    parts: Sequence[tuple[float, float, str]]
    pins: Sequence[tuple[float, int, str, str]]


@frozen
class Plot:
    """Plot with the positions and sizes of its parts. The page should also show the plot's numbers in a table.

    Attributes:
        title: Description for screen readers.
        height: Height of the plot.
        axis: Vertical position of the axis.
        highest: Size of the largest bar above the axis.
        columns: Layouts of the bars.
        labels: Position, CSS class and text of each label.
        early: True if the left half has the chosen bar. A narrow screen then shows this half first.
    """

    title: str
    height: float
    axis: float
    highest: int
    columns: Sequence[Column]
    labels: Sequence[tuple[float, str, str]]
    early: bool


def bars(title: str, each: Sequence[Bar], *, height: float = HEIGHT) -> Plot:
    """Return a plot of bars from left to right.

    Args:
        title: Description for screen readers.
        each: The bars.
        height: Height of the plot without pins.
    """
    highest = max((sum(bar.up) for bar in each), default=0)
    lowest = max((sum(bar.down) for bar in each), default=0)
    scale = (height - _FOOT - _HEAD) / max(1, highest + lowest)
    head = _HEAD + _PIN * max((len(bar.pins) for bar in each), default=0)
    axis = head + highest * scale if highest + lowest else head + height - _FOOT - _HEAD
    step = 100 / max(1, len(each))
    width, columns = min(step * 0.76, _WIDEST), list[Column]()
    for number, bar in enumerate(each):
        sides = (("up", bar.up, -scale), ("down", bar.down, scale))
        parts = [
            part for side, sizes, sign in sides for part in _parts(axis, side, [size * sign for size in sizes])
        ]
        top = min((top for top, _, _ in parts), default=axis)
        pins = [(top - _PIN * (place + 0.5), *pin) for place, pin in enumerate(bar.pins)]
        columns.append(Column(bar, _left(number, step), width, parts, pins))
    every = max(1, -(-len(each) // _LABELS))
    labelled = range(0, len(each), every)
    wide = len(labelled) > _NARROW_LABELS
    labels = [
        (_left(number, step), "label wide" if wide and number // every % 2 else "label", each[number].label)
        for number in labelled
    ]
    early = any(bar.chosen for bar in each[: len(each) // 2])
    return Plot(title, head + height - _HEAD, axis, highest, columns, labels, early)


def _left(number: int, step: float) -> float:
    return number * step + step * 0.12


def _parts(axis: float, side: str, sizes: Sequence[float]) -> Iterator[tuple[float, float, str]]:
    """Yield top, height and class of the parts on one side of a bar. Sizes above the axis are negative."""
    place = axis
    for number, size in enumerate(sizes):
        if size:
            yield min(place, place + size), max(abs(size), 1), f"{side}{number}"
        place += size


@frozen
class Calendar:
    """A year in weeks, from left to right.

    Attributes:
        days: Date, column, row, number and shade (1 to 4) of each day with a number.
        empty: SVG path of all other days.
        months: First displayed day of each month, and its column.
        names: Names of some weekdays, and their rows.
    """

    days: Sequence[tuple[date, int, int, int, int]]
    empty: str
    months: Sequence[tuple[date, int]]
    names: Sequence[tuple[str, int]]
    width: int = _LEFT + _WEEKS * _CELL
    height: int = _TOP + DAYS_OF_WEEK * _CELL
    side: int = _SIDE


def year_until(last: date) -> Sequence[date]:
    """Return the days of the 53 weeks up to a day, beginning on a Monday."""
    first = last - timedelta(days=last.weekday() + (_WEEKS - 1) * DAYS_OF_WEEK)
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def calendar(counts: Mapping[date, int]) -> Calendar:
    """Return the calendar of `counts`, which has a number for each day of `year_until`."""
    some = sorted(filter(None, counts.values()))
    bounds = [some[len(some) * level // _LEVELS] for level in range(1, _LEVELS)] if some else []
    # Make the bounds different: between equal bounds, a shade would be unused.
    bounds = list(accumulate(bounds, lambda before, bound: max(before + 1, bound)))
    days, empty, months = [], list[str](), list[tuple[date, int]]()
    for place, (day, number) in enumerate(counts.items()):
        week, weekday = divmod(place, DAYS_OF_WEEK)
        across, down = _LEFT + week * _CELL, _TOP + weekday * _CELL
        if number:
            days.append((day, across, down, number, 1 + sum(number > bound for bound in bounds)))
        else:
            empty.append(f"M{across} {down}h{_SIDE}v{_SIDE}h-{_SIDE}z")
        if weekday == 0 and (not months or months[-1][0].month != day.month):
            months.append((day, across))
    if len(months) > 1 and months[1][1] - months[0][1] < 2 * _CELL:
        del months[0]  # its column is too near to the next month for its name
    return Calendar(
        days,
        "".join(empty),
        months,
        [(name, _TOP + row * _CELL) for row, name in ((0, "Mon"), (2, "Wed"), (4, "Fri"))],
    )

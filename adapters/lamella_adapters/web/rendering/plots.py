"""Bar plots, which the template `plot.html` draws as SVG. Colours come from the style sheet, by class.

Across, everything is in per cent, so that a plot is as wide as there is room while its text keeps its size.
"""

from collections.abc import Iterator, Sequence

from attrs import frozen

HEIGHT = 170
_FOOT, _HEAD = 26, 24
_LABELS, _NARROW_LABELS = 6, 3
"""Most labels below the bars, and below those of a narrow screen."""

_WIDEST = 6.7
"""Width of a bar if there are few, in per cent."""


@frozen
class Bar:
    """A bar of parts, from the axis outwards.

    Attributes:
        label: Name of the bar.
        up: Sizes of the parts above the axis.
        down: Sizes of the parts below it.
    """

    label: str
    up: Sequence[int]
    down: Sequence[int] = ()


@frozen
class Plot:
    """A plot. Its numbers belong into a table beside it.

    Attributes:
        title: Description for screen readers.
        axis: Height of the axis.
        highest: Size of the largest bar above the axis.
        parts: Place, size and class of each rectangle.
        labels: Place, class and text of each label.
    """

    title: str
    axis: float
    highest: int
    parts: Sequence[tuple[float, float, float, float, str]]
    labels: Sequence[tuple[float, str, str]]


def bars(title: str, each: Sequence[Bar]) -> Plot:
    """Return a plot of bars from left to right; `title` describes it to screen readers."""
    highest = max((sum(bar.up) for bar in each), default=0)
    lowest = max((sum(bar.down) for bar in each), default=0)
    scale = (HEIGHT - _FOOT - _HEAD) / max(1, highest + lowest)
    axis = _HEAD + highest * scale if highest + lowest else HEIGHT - _FOOT
    step = 100 / max(1, len(each))
    width, parts = min(step * 0.76, _WIDEST), list[tuple[float, float, float, float, str]]()
    for number, bar in enumerate(each):
        for side, sizes, sign in (("up", bar.up, -scale), ("down", bar.down, scale)):
            heights = _parts(axis, [size * sign for size in sizes])
            parts += [(_left(number, step), top, width, height, f"{side}{part}") for part, top, height in heights]
    every = max(1, -(-len(each) // _LABELS))
    labelled = range(0, len(each), every)
    wide = len(labelled) > _NARROW_LABELS
    labels = [
        (_left(number, step), "label wide" if wide and number // every % 2 else "label", each[number].label)
        for number in labelled
    ]
    return Plot(title, axis, highest, parts, labels)


def _left(number: int, step: float) -> float:
    return number * step + step * 0.12


def _parts(axis: float, sizes: Sequence[float]) -> Iterator[tuple[int, float, float]]:
    """Yield number, top and height of the parts of one side of a bar; sizes are negative above the axis."""
    place = axis
    for number, size in enumerate(sizes):
        if size:
            yield number, min(place, place + size), max(abs(size), 1)
        place += size

"""Bar plots as SVG without script or style: colours come from the style sheet, by class.

Across, everything is in per cent, so that a plot is as wide as there is room while its text keeps its size.
"""

from collections.abc import Sequence

from attrs import frozen
from markupsafe import Markup

from lamella.domain.text.printing import visible

_HEIGHT, _FOOT, _HEAD = 170, 26, 24
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


def bars(title: str, each: Sequence[Bar]) -> Markup:
    """Return a plot. Its numbers belong into a table beside it.

    Args:
        title: What it shows, for those who don't see it.
        each: The bars, from left to right.
    """
    highest = max((sum(bar.up) for bar in each), default=0)
    lowest = max((sum(bar.down) for bar in each), default=0)
    scale = (_HEIGHT - _FOOT - _HEAD) / max(1, highest + lowest)
    axis = _HEAD + highest * scale if highest + lowest else _HEIGHT - _FOOT
    step = 100 / max(1, len(each))
    shapes = []
    for number, bar in enumerate(each):
        left, width = number * step + step * 0.12, min(step * 0.76, _WIDEST)
        shapes += _parts(left, width, axis, [size * -scale for size in bar.up], "up")
        shapes += _parts(left, width, axis, [size * scale for size in bar.down], "down")
    every = max(1, -(-len(each) // _LABELS))
    labelled = range(0, len(each), every)
    for number in labelled:
        x = number * step + step * 0.12
        kind = "label wide" if len(labelled) > _NARROW_LABELS and number // every % 2 else "label"
        shapes.append(
            Markup('<text x="{:.2f}%" y="{}" class="{}">{}</text>').format(
                x, _HEIGHT - 6, kind, each[number].label
            )
        )
    if highest:
        shapes.append(Markup('<text x="0" y="17" class="label">{:,}</text>').format(highest))
    return Markup(
        '<svg class="plot" width="100%" height="{h}" role="img" aria-label="{title}">'
        '<line x1="0" x2="100%" y1="{axis:.1f}" y2="{axis:.1f}" class="axis"></line>{shapes}</svg>'
    ).format(h=_HEIGHT, title=visible(title), axis=axis, shapes=Markup("").join(shapes))


def strength(value: float) -> Markup:
    """Return a small bar that shows a number from 0 to 1; the number itself belongs beside it."""
    width = 40 * min(1.0, max(0.0, value))
    return Markup(  # noqa: S704 - a number
        '<svg class="strength" viewBox="0 0 40 8" aria-hidden="true">'
        '<rect class="all" width="40" height="8" rx="2"></rect>'
        f'<rect class="held" width="{width:.1f}" height="8" rx="2"></rect></svg>'
    )


def _parts(left: float, width: float, axis: float, sizes: Sequence[float], side: str) -> list[Markup]:
    """Return the rectangles of one side of a bar; sizes are negative above the axis."""
    shapes, place = [], axis
    for number, size in enumerate(sizes):
        if size:
            shapes.append(
                Markup('<rect x="{:.2f}%" y="{:.1f}" width="{:.2f}%" height="{:.1f}" class="{}"></rect>').format(
                    left, min(place, place + size), width, max(abs(size), 1), f"{side}{number}"
                )
            )
        place += size
    return shapes

"""Bar plots as SVG without script or style: colours come from the style sheet, by class."""

from collections.abc import Sequence

from attrs import frozen
from markupsafe import Markup

_WIDTH, _HEIGHT, _FOOT, _HEAD = 720, 160, 26, 24
_LABELS = 6
"""Most labels below the bars."""


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
    step = _WIDTH / max(1, len(each))
    shapes = []
    for number, bar in enumerate(each):
        left, width = number * step + step * 0.12, min(step * 0.76, 48)
        shapes += _parts(left, width, axis, [size * -scale for size in bar.up], "up")
        shapes += _parts(left, width, axis, [size * scale for size in bar.down], "down")
    every = max(1, -(-len(each) // _LABELS))
    for number in range(0, len(each), every):
        x = number * step + step * 0.12
        shapes.append(
            Markup('<text x="{:.1f}" y="{}" class="label">{}</text>').format(x, _HEIGHT - 4, each[number].label)
        )
    if highest:
        shapes.append(Markup('<text x="0" y="17" class="label">{:,}</text>').format(highest))
    return Markup(
        '<svg class="plot" viewBox="0 0 {w} {h}" role="img" aria-label="{title}">'
        '<line x1="0" x2="{w}" y1="{axis:.1f}" y2="{axis:.1f}" class="axis"></line>{shapes}</svg>'
    ).format(w=_WIDTH, h=_HEIGHT, title=title, axis=axis, shapes=Markup("").join(shapes))


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
                Markup('<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}"></rect>').format(
                    left, min(place, place + size), width, max(abs(size), 1), f"{side}{number}"
                )
            )
        place += size
    return shapes

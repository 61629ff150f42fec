"""A short piece of a memory, on one line, that shows why it was found."""

from bisect import bisect_left
from collections.abc import Sequence

from lamella.domain.memories.query import Span
from lamella.domain.text.printing import cut_point, one_line, visible

COMPACT_CHARACTERS = 100
"""Length of a snippet in the compact view."""

TIMELINE_CHARACTERS = 150
"""Length of a snippet in the timeline."""


def around_match(content: str, spans: Sequence[Span], characters: int) -> str:
    """Return the beginning of a text on one line if it holds a match, else the part around the best match.

    The best match is the place where most different words of the query stand together. `...` marks each side
    that was cut.

    Args:
        content: The text.
        spans: Matches in it, in order of `start`.
        characters: Most characters of the snippet.
    """
    line = one_line(content)
    left = _best_place(content, len(line), spans, characters)
    if left is None:
        return visible(line[:characters].rstrip())
    right = left + characters
    before, after = "..." if left else "", "..." if right < len(line) else ""
    return f"{before}{visible(line[left:right].strip())}{after}"


def passage(content: str, spans: Sequence[Span], characters: int) -> str:
    """Return the same `characters` of `content` as `around_match`, on one line, without `...` at the sides."""
    line = one_line(content)
    left = _best_place(content, len(line), spans, characters) or 0
    return visible(line[left : left + characters].strip())


def beginning(content: str, characters: int) -> str:
    """Return the first `characters` of `content`, or a few less so that nothing that is seen as one is split."""
    return visible(content if len(content) <= characters else content[: cut_point(content, characters)])


def _best_place(content: str, length: int, spans: Sequence[Span], characters: int) -> int | None:
    """Return where to begin on the one line of `content`, of this `length`; None if its beginning will do."""
    if not spans or len(one_line(content[: min(span.end for span in spans)])) <= characters:
        return None
    best = _densest(spans, characters)
    # Measured with its first character: the space before it is not trimmed away then.
    start = len(one_line(content[: best[0].start + 1])) - 1
    end = len(one_line(content[: max(span.end for span in best)]))
    return max(0, min((start + end - characters) // 2, start, length - characters))


def _densest(spans: Sequence[Span], characters: int) -> Sequence[Span]:
    """Return the run of spans within `characters` that matches most words; the first of several such."""
    best: Sequence[Span] = spans[:1]
    for first, span in enumerate(spans):
        limit = span.start + characters
        beyond = bisect_left(spans, limit, first, key=lambda other: other.start)
        run = [other for other in spans[first:beyond] if other.end <= limit]
        if len({other.word for other in run}) > len({other.word for other in best}):
            best = run
    return best

"""A short piece of a memory, on one line, that shows why it was found."""

from collections.abc import Sequence

from lamella.domain.query import Span
from lamella.domain.text import one_line, visible

COMPACT_CHARACTERS = 100
"""Length of a snippet in the compact view."""

TIMELINE_CHARACTERS = 150
"""Length of a snippet in the timeline."""


def beginning(content: str, characters: int) -> str:
    """The first `characters` of `content`, with line breaks and runs of spaces as one space."""
    return visible(one_line(content)[:characters].rstrip())


def around_match(content: str, spans: Sequence[Span], characters: int) -> str:
    """The beginning of `content` if a match falls into it, else as much around the best match.

    The best match is the place where most different words of the query stand together; `...` marks each side
    that was cut.
    """
    line = one_line(content)
    if not spans or len(one_line(content[: spans[0].end])) <= characters:
        return visible(line[:characters].rstrip())
    best = _densest(spans, characters)
    start, end = (len(one_line(content[:place])) for place in (best[0].start, best[-1].end))
    left = max(0, min((start + end - characters) // 2, start, len(line) - characters))
    right = left + characters
    return f"...{visible(line[left:right].strip())}{'...' if right < len(line) else ''}"


def _densest(spans: Sequence[Span], characters: int) -> Sequence[Span]:
    """The run of spans within `characters` that matches most words; the first of several such."""
    best: Sequence[Span] = spans[:1]
    for first, span in enumerate(spans):
        run = [other for other in spans[first:] if other.end - span.start <= characters] or [span]
        if len({other.word for other in run}) > len({other.word for other in best}):
            best = run
    return best

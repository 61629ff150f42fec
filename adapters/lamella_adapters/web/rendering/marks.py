"""A part of a text with the words that were found marked."""

from collections.abc import Sequence
from itertools import islice, takewhile

from markupsafe import Markup, escape

from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit, Span
from lamella.domain.replies.snippets import NOTHING_MORE, beyond_title
from lamella.domain.text.printing import cut_point, visible

SNIPPET_CHARACTERS = 260
"""Characters of a snippet."""

_BEFORE = 60
"""Characters before the first mark of a part."""


def marked(content: str, spans: Sequence[Span], most: int | None = None) -> Markup:
    """Return a text with `<mark>` around each span.

    Args:
        content: The text.
        spans: Places of the words, in order of `start`.
        most: Characters of the part around the place with most different words; None for the whole text.
    """
    left, right = 0, len(content)
    if most is not None and right > most:
        left = _start(spans, most)
        right = cut_point(content, min(right, left + most))
    pieces = [escape("…")] if left else []
    place = left
    for span in spans:
        if span.start >= place and span.end <= right:
            pieces += [_text(content[place : span.start]), Markup("<mark>{}</mark>").format(_mark(content, span))]
            place = span.end
    pieces.append(_text(content[place:right]))
    return Markup("").join([*pieces, *([escape("…")] if right < len(content) else [])])


def snippet(hit: Hit) -> Markup:
    """Return the part of a memory that a list shows: where words were found, or what its title doesn't say."""
    memory = hit.observation
    if hit.spans or memory.kind is not Kind.CHANGE:
        return marked(memory.content, hit.spans, SNIPPET_CHARACTERS)
    beyond = beyond_title(memory.title, memory.content, (), SNIPPET_CHARACTERS)
    return escape("" if beyond == NOTHING_MORE else beyond)


def _start(spans: Sequence[Span], most: int) -> int:
    """Return where the part begins that has most of the words."""
    best, words = None, 0
    for number, first in enumerate(spans):
        near = takewhile(lambda each: each.start < first.start + most // 2, islice(spans, number, None))
        different = len({each.word for each in near})
        if different > words:
            best, words = first, different
    return 0 if best is None or best.end <= most else max(0, best.start - _BEFORE)


def _mark(content: str, span: Span) -> str:
    return visible(content[span.start : span.end])


def _text(text: str) -> Markup:
    return escape(visible(text))

"""A part of a text with the words that were found marked."""

from collections import Counter
from collections.abc import Sequence

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
    pieces, place = ["…"] if left else [], left
    for span in spans:
        if span.end > right:
            break
        if span.start >= place:
            pieces += [
                _text(content[place : span.start]),
                "<mark>",
                _text(content[span.start : span.end]),
                "</mark>",
            ]
            place = span.end
    pieces += [_text(content[place:right]), *(["…"] if right < len(content) else [])]
    return Markup("".join(pieces))  # noqa: S704 - each piece is escaped, or ours


def snippet(hit: Hit) -> Markup:
    """Return the part of a memory that a list shows: where words were found, or what its title doesn't say."""
    memory = hit.observation
    if hit.spans or memory.kind is not Kind.CHANGE:
        return marked(memory.content, hit.spans, SNIPPET_CHARACTERS)
    beyond = beyond_title(memory.title, memory.content, (), SNIPPET_CHARACTERS)
    return escape("" if beyond == NOTHING_MORE else beyond)


def _start(spans: Sequence[Span], most: int) -> int:
    """Return where the part begins that has most of the words."""
    best, words, end = None, 0, 0
    inside: Counter[int] = Counter()
    for first in spans:
        while end < len(spans) and spans[end].start < first.start + most // 2:
            inside[spans[end].word] += 1
            end += 1
        different = sum(map(bool, inside.values()))
        if different > words:
            best, words = first, different
        inside[first.word] -= 1
    return 0 if best is None or best.end <= most else max(0, best.start - _BEFORE)


def _text(text: str) -> str:
    return escape(visible(text))

"""Explanation of a hit's rank: the parts of its score, and the words behind its strength."""

from collections.abc import Iterator, Sequence
from itertools import islice

from lamella.domain.conversations.query import MessageHit
from lamella.domain.memories.query import Hit
from lamella.domain.search.weights import WEAK_STRENGTH
from lamella.domain.text.printing import printed_line

_MOST_WORDS = 12
"""Maximum number of words to list, both for words of the question found in a hit and for missing words."""

_LEAST_POINTS = 0.01
"""Points below this are written with an exponent, because scores by words are small in small projects."""


def explained(hit: Hit | MessageHit, words: Sequence[str]) -> tuple[str, ...]:
    """Explain a hit in lines: the features of its score, and the words behind its strength.

    The largest features come first, and so do the matched words with the highest weights.

    Args:
        hit: A hit with features.
        words: The words of the question.
    """
    return tuple(_lines(hit, words))


def _lines(hit: Hit | MessageHit, words: Sequence[str]) -> Iterator[str]:
    parts = sorted((hit.features or {}).items(), key=lambda part: -abs(part[1]))
    summands = "".join(
        f" {'+' if points > 0 else '-'} {name} {_points(points)}" for name, points in parts if points
    )
    yield f"score {_points(hit.score or 0)} = {summands.removeprefix(' + ') or 'nothing'}"
    if isinstance(hit, Hit) and hit.observation.purged:
        yield "purged: after all others"
    if isinstance(hit, Hit) and hit.everywhere:
        yield "global memory: placed by its strength, not by its score"
    strength = hit.strength or 0
    weak = f", weak as below {WEAK_STRENGTH}" if strength < WEAK_STRENGTH else ""
    held = sorted(hit.held, key=lambda word: -hit.held[word])
    lacking = [word for word in words if word not in hit.held]
    alike = hit.likeness if isinstance(hit, Hit) else None
    reasons = [
        *([f"holds {_some(f'{word} {hit.held[word]:.1f}' for word in held)}"] if held else []),
        *([f"lacks {_some(lacking)}"] if lacking else []),
        *([f"{100 * alike:.0f} % alike"] if alike is not None else []),
    ]
    yield f"strength {strength:.2f}{weak}: {'; '.join(reasons)}"


def _points(points: float) -> str:
    size = abs(points)
    return f"{size:.2f}" if size >= _LEAST_POINTS or not size else f"{size:.1e}"


def _some(words: Iterator[str] | Sequence[str]) -> str:
    """Return the first `_MOST_WORDS` words as a list, with the number of omitted words."""
    given = list(words)
    more = [f"{len(given) - _MOST_WORDS} more"] if len(given) > _MOST_WORDS else []
    return ", ".join([*map(printed_line, islice(given, _MOST_WORDS)), *more])

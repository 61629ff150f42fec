"""How much of a question a text holds, as a number that means the same in every project."""

import math
from collections.abc import Sequence

_TYPICAL_LENGTH, _LONGER, _ONE_TEXT, _MORE_TEXTS, _MORE_WORDS = 60, 0.3, 0.7, 0.084, 0.75
"""See `strength`."""


def rarity(hits: int, rows: int) -> float:
    """Return how much a word tells that so many of the rows have."""
    hits = min(hits, rows)
    return math.log(1 + (rows - hits + 0.5) / (hits + 0.5))


def strength(held: float, information: Sequence[float], *, length: int, rows: int) -> float:
    """Return how strong a match is: 1 if a text holds all words of a question, near 0 if it holds little of it.

    It is the share of the question's information that the text holds, to a power that makes it mean the same for
    every question, text and project: a share of many words tells more than the same share of a few, a long text
    holds some words by chance, and so does the best of many texts. The power is `(1 + 0.3 * ln(1 + length
    / 60)) * (0.7 + 0.084 * ln(rows)) / ln(1 + words) ** 0.75` (fitted: `bench/README.md`).

    Args:
        held: Information of the words that the text holds.
        information: Information of each word of the question.
        length: Tokens of the text.
        rows: Number of rows in the project.
    """
    words, total = sum(map(bool, information)), sum(information)
    if not held or not words:
        return 0.0
    share = min(1.0, held / total)
    by_length = 1 + _LONGER * math.log(1 + length / _TYPICAL_LENGTH)
    by_chance = by_length * (_ONE_TEXT + _MORE_TEXTS * math.log(max(1, rows)))
    return float(share ** (by_chance / math.log(1 + words) ** _MORE_WORDS))

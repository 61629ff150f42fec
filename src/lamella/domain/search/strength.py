"""Strength of a text match, comparable between questions and projects, and the notice for a weak answer."""

import math
from collections.abc import Iterable, Sequence

from lamella.domain.memories.query import ByText, Hit
from lamella.domain.search import weights

WEAK = "weak match: try other words"
"""Notice for a weak answer."""

_WORDS_OF_TOPIC = 2

_TYPICAL_LENGTH, _LONGER, _ONE_TEXT, _MORE_TEXTS, _MORE_WORDS = 60, 0.3, 0.7, 0.084, 0.75
"""Constants of the formula in `strength`."""


def rarity(hits: int, rows: int) -> float:
    """Return the information content of a word that occurs in `hits` rows out of `rows`: the rarer, the higher."""
    hits = min(hits, rows)
    return math.log(1 + (rows - hits + 0.5) / (hits + 0.5))


def strength(held: float, information: Sequence[float], *, length: int, rows: int) -> float:
    """Return the strength of a match, from 0 to 1: 1 if the text has all words of the question.

    The strength is a power of the matched share of the question's information content. The exponent makes
    strengths comparable. It is lower for questions with more words, since five matches of ten words mean more than
    one of two. It is higher for longer texts and larger projects, since more words then match by chance. The
    exponent is `(1 + 0.3 * ln(1 + length / 60)) * (0.7 + 0.084 * ln(rows)) / ln(1 + words) ** 0.75` (fitted:
    `bench/README.md`).

    Args:
        held: Sum of the information content of the matched words; see `rarity`.
        information: Information content of each word of the question.
        length: Number of tokens in the text.
        rows: Number of rows in the project.
    """
    words, total = sum(map(bool, information)), sum(information)
    if not held or not words:
        return 0.0
    share = min(1.0, held / total)
    by_length = 1 + _LONGER * math.log(1 + length / _TYPICAL_LENGTH)
    by_chance = by_length * (_ONE_TEXT + _MORE_TEXTS * math.log(max(1, rows)))
    return float(share ** (by_chance / math.log(1 + words) ** _MORE_WORDS))


def covered_by_topics(question: ByText, hits: Iterable[Hit]) -> float | None:
    """Return the share of a list of keywords that several memories cover together.

    Agents combine several topics in one list of keywords. Then no single memory has most of the words, but several
    memories together may have most of the words. A memory begins a new topic if it has two words of the list that
    no hit with a higher rank has. Return 0 if there is only one topic, and None if the question is a sentence.
    """
    if not question.is_list:
        return None
    covered, topics = set[str](), 0
    holding = [hit.held.keys() for hit in hits]
    while len(more := max((words - covered for words in holding), key=len, default=set())) >= _WORDS_OF_TOPIC:
        covered |= more
        topics += 1
    return len(covered) / len(question.words) if topics > 1 else 0.0


def label(strengths: Iterable[float | None], covered: float | None = None) -> tuple[str, ...]:
    """Return a notice if the strongest result has too few words of the question.

    `covered` is the result of `covered_by_topics`.
    """
    if (covered or 0.0) >= weights.LEAST_COVERED:
        return ()
    strongest = max((each or 0.0 for each in strengths), default=None)
    return (WEAK,) if strongest is not None and strongest < weights.WEAK_STRENGTH else ()

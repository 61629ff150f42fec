"""Features of a ranking, and the table of their weights (measured: `bench/README.md`).

Hooks use this module, so it imports little.
"""

from enum import StrEnum

from lamella.domain.memories.kind import Kind


class Feature(StrEnum):
    """Parts of a score."""

    WORDS = "words"
    MEANING = "meaning"
    SESSION = "session"
    SPEAKER = "speaker"
    ANSWER = "answer"
    CAPTURED = "captured"
    CORRECTION = "correction"


COLUMN_WEIGHTS = (2.0, 1.0, 0.5, 0.3)
"""BM25 weights of title, content, sub and context."""

DATE_WEIGHT = 2
"""Times that a date, month or year of a question counts."""

CAPTURED_WEIGHT = 0.5
"""Factor for scores of captured edits, commits and summaries, against what was saved."""

SPEAKER_WEIGHT = 2.0
"""Factor for what a named person said (1.4 to 2.5 do)."""

ANSWER_WEIGHT = 1.3
"""Factor for a text that can answer (1.2 to 1.5 do equally well)."""

WORDS_WEIGHT = 0.6
"""Weight of words that match surely, against meaning that is wholly clear (see `bench/README.md`)."""

LIST_WORDS_WEIGHT = 2.0
"""The same for a list of keywords."""

SURE_STRENGTH = 0.8
"""Strength of the best word match that gives words their full weight. Below, the weight falls with the square."""

SESSION_SHARE = 0.5
"""Weight of a session's own score against a memory's in a fused score (flat from 0.4 to 0.6).

None for lists of keywords, which ask for memories, not for what a session was about.
"""

SESSION_BEST = 3
"""Number of its best memories that make a session's score, which is divided by it even if there are fewer."""

MOST_LIKE = 0.6
"""Strength of a memory without a word of the question that is wholly alike, among others that are wholly unlike.

With less, more right answers are weak, with more, more unrelated ones are strong.
"""

WORDED_POWER = 1.15
"""Power of the strength of words beside a model: what they match by chance is less alike."""

WEAK_STRENGTH = 0.38
"""An answer is weak if its best result has less, as for 90 % of unrelated questions."""

LEAST_COVERED = 0.6
"""A list of keywords is no weak match if its topics hold this share of it."""

LEAST_KEPT = 2 / 3
"""Least share of the words of the shorter of a note and its correction that both have, without stop words."""

LEAST_ALIKE = 0.5
"""Least share of all words of a note and its correction that both have (0.55 finds 8 % less)."""

LEAST_SAME = 0.4
"""Least share of the words, by their information, of two notes that a review lists (see `bench/README.md`)."""

LEAST_RELATED = 0.3
"""The same for a note and its correction."""


def kind_weight(kind: str) -> float:
    """Return the factor for scores of memories of a kind: what somebody chose to save comes first."""
    return 1.0 if kind == Kind.NOTE else CAPTURED_WEIGHT

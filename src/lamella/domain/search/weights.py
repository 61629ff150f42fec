"""Features of a score, and their weights (measured: `bench/README.md`).

Hooks import this module, so it must load fast.
"""

from enum import StrEnum

from lamella.domain.memories.kind import Kind


class Feature(StrEnum):
    """Names of the parts of a score."""

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
"""A date, month or year in a question counts as this number of words."""

CAPTURED_WEIGHT = 0.5
"""Factor for the scores of captured edits, commits and summaries, relative to saved notes."""

SPEAKER_WEIGHT = 2.0
"""Factor for texts by a speaker that the question names (1.4 to 2.5 are equally good)."""

ANSWER_WEIGHT = 1.3
"""Factor for texts that can answer the question (1.2 to 1.5 are equally good)."""

WORDS_WEIGHT = 0.6
"""Weight of a strong match by words, relative to a clear match by meaning (see `bench/README.md`)."""

LIST_WORDS_WEIGHT = 2.0
"""`WORDS_WEIGHT` for a list of keywords."""

SURE_STRENGTH = 0.8
"""Words get their full weight if the best match has this strength.

Below this strength, the weight falls quadratically.
"""

SESSION_SHARE = 0.5
"""Weight of a session's score relative to a memory's own (0.4 to 0.6 are equally good).

It doesn't apply to lists of keywords, which ask for single memories, not for the subject of a session.
"""

SESSION_BEST = 3
"""A session's score is the average score of this number of its best memories. Missing memories count as 0."""

MOST_LIKE = 0.6
"""Maximum strength of a match by meaning only.

With a lower value, more right answers count as weak. With a higher value, more unrelated answers count as strong.
"""

WORDED_POWER = 1.15
"""Exponent for the strength of matches by words if there is a model. It lowers the strength of chance matches."""

WEAK_STRENGTH = 0.36
"""An answer is weak if its best hit has less strength than this.

Some 90 % of questions about unrelated subjects have a weak answer.
"""

LEAST_COVERED = 0.6
"""An answer to a list of keywords isn't weak if the topics cover at least this share of the list."""

LEAST_KEPT = 2 / 3
"""Minimum share of common words in a note and its correction, relative to the shorter of the two texts.

Stop words don't count.
"""

LEAST_ALIKE = 0.5
"""Minimum similarity of the words of a note and its correction (0.55 finds 8 % fewer corrections)."""

LEAST_SAME = 0.5
"""Minimum similarity of notes to review as duplicates: Dice's coefficient, weighted by IDF (`bench/README.md`)."""

LEAST_RELATED = 0.2
"""Minimum similarity of notes to review for a reason other than duplication, computed like `LEAST_SAME`."""

LEAST_WORDS_NEARER = 2.1
"""Minimum margin of a pair of notes to review, if similarity is by words; see `alike`.

A word in two notes weighs 1. Measured: `bench/README.md`.
"""

LEAST_NEARER = 0.2
"""Minimum margin of a pair of notes to review, if similarity is by meaning; see `alike`.

The margin is a difference of cosines. Measured: `bench/README.md`.
"""


def kind_weight(kind: str) -> float:
    """Return the factor for the scores of a kind of memory. Deliberately saved notes rank first."""
    return 1.0 if kind == Kind.NOTE else CAPTURED_WEIGHT

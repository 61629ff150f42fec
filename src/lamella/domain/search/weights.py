"""Weights of columns, dates and kinds in a ranking. Hooks use this module, so it imports little."""

from lamella.domain.memories.kind import Kind

COLUMN_WEIGHTS = (2.0, 1.0, 0.5, 0.3)
"""BM25 weights of title, content, sub and context (measured: `bench/README.md`)."""

DATE_WEIGHT = 2
"""Times that a date, month or year of a question counts (measured: `bench/README.md`)."""

CAPTURED_WEIGHT = 0.5
"""Factor for scores of captured edits, commits and summaries, against what was saved (see `bench/README.md`)."""


def kind_weight(kind: str) -> float:
    """Return the factor for scores of memories of a kind: what somebody chose to save comes first."""
    return 1.0 if kind == Kind.NOTE else CAPTURED_WEIGHT

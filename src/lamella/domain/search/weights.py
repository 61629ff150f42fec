"""Weights of the columns that are ranked. Hooks use this module, so it imports nothing."""

COLUMN_WEIGHTS = (2.0, 1.0, 0.5, 0.3)
"""BM25 weights of title, content, sub and context (measured: `bench/README.md`)."""

DATE_WEIGHT = 2
"""Times that a date, month or year of a question counts (measured: `bench/README.md`)."""

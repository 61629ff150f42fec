"""BM25 scores of all rows of a project, computed from their texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from lamella_adapters.fts5 import bm25, tokens

Key = TypeVar("Key")


def scores(phrases: Sequence[bm25.Phrase], texts: Mapping[Key, Iterable[str]]) -> dict[Key, float]:
    """Return the score of each row with a term that ranks the query.

    Args:
        phrases: The phrases of the query.
        texts: The texts of the columns of every row.
    """
    columns = {key: [bm25.tokens(column) for column in row] for key, row in texts.items()}
    holders = {
        phrase: {key for key, row in columns.items() if any(tokens.holds(column, phrase.tokens) for column in row)}
        for phrase in phrases
    }
    ranked_by = bm25.terms(phrases, lambda phrase: len(holders[phrase]), len(columns))
    terms = [(phrase, tokens.idf(len(holders[phrase]), len(columns))) for phrase in ranked_by]
    average = sum(len(column) for row in columns.values() for column in row) / max(len(columns), 1)
    found = {key for phrase in ranked_by for key in holders[phrase]}
    return {key: bm25.bm25(columns[key], terms, average) for key in found}

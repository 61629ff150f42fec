"""BM25 scores of all rows of a project, computed from their texts."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

from lamella.domain.text.words import Word
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.fts5.plan import Plan, Vocabulary, planned

Key = TypeVar("Key")


@frozen
class Rows(Vocabulary, Generic[Key]):
    """The tokens in each column of each row, keyed by the row's key."""

    columns: Mapping[Key, Sequence[Sequence[str]]]
    _holders: Mapping[str, int] = field(init=False)

    @_holders.default
    def _counted(self) -> Mapping[str, int]:
        return Counter(
            token for row in self.columns.values() for token in {token for column in row for token in column}
        )

    @classmethod
    def of(cls, texts: Mapping[Key, Iterable[str]]) -> "Rows[Key]":
        """Tokenize the texts of each row's columns. `texts` is keyed by the row's key."""
        return cls({key: [bm25.tokens(column) for column in row] for key, row in texts.items()})

    @property
    def rows(self) -> int:
        """See `Vocabulary.rows`."""
        return len(self.columns)

    def holders(self, tokens: Collection[str]) -> Mapping[str, int]:
        """See `Vocabulary.holders`."""
        return {token: self._holders.get(token, 0) for token in tokens}

    def between(self, first: str, end: str) -> Iterable[str]:
        """See `Vocabulary.between`."""
        return sorted(token for token in self._holders if first <= token < end)

    def ranked(self, words: Sequence[Word]) -> tuple[Plan, Mapping[Key, float]]:
        """Return the plan of a search, and the scores of all rows with any of its terms."""
        plan = planned(words, self)
        holding = {term: self._holding(term) for term in dict.fromkeys(plan.terms)}
        weighed = [(term, tokens.idf(len(holding[term]), self.rows)) for term in plan.terms]
        average = sum(len(column) for row in self.columns.values() for column in row) / max(self.rows, 1)
        found = {key for rows in holding.values() for key in rows}
        return plan, {key: bm25.bm25(self.columns[key], weighed, average) for key in found}

    def _holding(self, term: bm25.Phrase) -> set[Key]:
        rows = self.columns.items()
        return {key for key, row in rows if any(tokens.holds(column, term.tokens) for column in row)}

"""Faults in how rare words are."""

import math
from collections.abc import Sequence

from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


def rarity(holders: float, rows: int) -> float:
    """Return the rarity by BM25 of what this many rows hold."""
    return math.log(1 + (rows - holders + 0.5) / (holders + 0.5))


@MUTANTS.add(
    "sound rarities, counted from rows",
    "every_column_counts_for_rarity",
    "rarities_agree_with_the_model",
    "rarities_are_those_of_the_words",
    sound=True,
)
class Counting(InMemorySearch):
    """Counts by itself; what it counts, and how, is for the faulty ones to say."""

    def rarities(self, words: Sequence[str]) -> tuple[float, ...]:
        rows = [[bm25.tokens(column) for column in columns] for columns in self.columns()]
        return tuple(self.rarity(word, rows) for word in words)

    def columns(self) -> list[Sequence[str]]:
        """Return the columns of each row that counts."""
        every = self.observations.in_order()
        return [self.observations.indexed(each).columns for each in every if not each.purged]

    def rarity(self, word: str, rows: list[list[list[str]]]) -> float:
        """Return the rarity of `word` in rows of these tokens."""
        held = [self.holders(token, rows) for token in bm25.tokens(word)]
        return self.of(min(filter(None, held), default=0), len(rows))

    def holders(self, token: str, rows: list[list[list[str]]]) -> int:
        """Return the number of rows with `token`."""
        return sum(any(token in column for column in row) for row in rows)

    def of(self, holders: int, rows: int) -> float:
        """Return the rarity of a token that `holders` of `rows` contain."""
        return rarity(holders, rows) if holders else 0.0


@MUTANTS.add(
    "rarities are clamped as in ranking",
    "every_column_counts_for_rarity",
    "rarities_agree_with_the_model",
    "rarities_are_those_of_the_words",
)
class AsRanked(Counting):
    def of(self, holders: int, rows: int) -> float:
        return tokens.idf(holders, rows) if holders else 0.0

"""The best rows of one part of an index by BM25.

SQL finds candidates; their final scores are added up from their tokens, as every storage does it.
"""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.fts5.bm25 import K1, B, Phrase
from lamella_adapters.fts5.plan import Plan
from lamella_adapters.postgresql.database.transaction import Question, Row
from lamella_adapters.postgresql.search.vocabulary import Terms
from lamella_adapters.postgresql.tables.index import adjacent, columns_of, keyed
from lamella_adapters.statements import statements

SPARE = 12
"""Candidates beyond the limit."""

MORE = 4
"""Factor by which the candidates grow when they were too few."""

LOOKED = 500
"""Rows with the best scores by words that may be read from their table, at least."""

LOOKED_FOR_EACH = 8
"""The same for each candidate that is asked for."""

READ_FIRST = 3
"""Rows that are read before any others, for each candidate that is asked for."""

_MARGIN = 1 + 1e-9
"""Factor by which a score of SQL may be too low, where it is not exact."""

SQL = statements(__file__, k1=K1, k1_and_1=K1 + 1, b=B, rest=1 - B)


@frozen(kw_only=True)
class Rows:
    """Rows that are ranked.

    Attributes:
        table: Table of the rows `o`.
        key: Its column with their number.
        columns: Columns that are read of each.
        factor: SQL of a factor of the score of each, at most 1: so rows with low scores by words need not be read.
        conditions: Conditions on rows, each with a leading ` AND `.
        among: The same on their numbers in the index, where so few are asked about that no others need be ranked.
        values: Values of these.
    """

    table: str
    key: str
    columns: str
    factor: str
    conditions: str = ""
    among: str = ""
    values: Mapping[str, object] = field(factory=dict)


@frozen(kw_only=True)
class Candidate:
    """A row with its own columns and its score by words.

    Attributes:
        row: Its own columns.
        by_words: Its exact score by words.
        estimate: Its final score as SQL has it.
        exact: True if SQL has the same score by words.
        unread: Highest final score that a row may have that was not read from its table.
    """

    row: Row
    by_words: float
    estimate: float
    exact: bool
    unread: float


@frozen
class Ranking:
    """Ranking of some rows by a plan.

    Attributes:
        plan: Plan of the search.
        terms: Terms of the part of the index, with its size.
        rows: Rows that are ranked.
    """

    plan: Plan
    terms: Terms
    rows: Rows

    def question(self, limit: int) -> Question:
        """Return the question for the best `limit` rows."""
        weighed = list(enumerate(self._weighed()))
        single = [(place, term.tokens[0], idf) for place, (term, idf) in weighed if len(term.tokens) == 1]
        phrases = [(place, term.tokens, idf) for place, (term, idf) in weighed if len(term.tokens) > 1]
        statement = SQL["rank"].format(
            held=SQL["phrased" if phrases else "single"].format(among=self.rows.among),
            columns=self.rows.columns,
            factor=self.rows.factor,
            table=self.rows.table,
            key=self.rows.key,
            conditions=self.rows.conditions,
        )
        held = self.terms.holders({token for _, tokens, _ in phrases for token in tokens})
        return statement, {
            "part": self.terms.part,
            "average": self.terms.average_length or 1.0,
            "places": [place for place, *_ in single],
            "terms": [term for _, term, _ in single],
            "weights": [idf for *_, idf in single],
            "phrases": [place for place, *_ in phrases],
            "rarest": [min(tokens, key=held.__getitem__) for _, tokens, _ in phrases],
            "adjacent": [adjacent(tokens) for _, tokens, _ in phrases],
            "patterns": [_pattern(tokens) for _, tokens, _ in phrases],
            "idfs": [idf for *_, idf in phrases],
            "limit": limit,
            "looked": self._looked(limit),
            "first": READ_FIRST * limit,
            **self.rows.values,
        }

    def candidates(self, found: Sequence[Row]) -> list[Candidate]:
        """Return the candidates of the answer, with their exact scores by words."""
        weighed, average = self._weighed(), self.terms.average_length
        candidates = []
        for row in found:
            *own, tokens, by_words, estimate, unread = row
            score = bm25.bm25(columns_of(tokens), weighed, average)
            exact = score == by_words
            candidates.append(
                Candidate(row=tuple(own), by_words=score, estimate=estimate, exact=exact, unread=unread)
            )
        return candidates

    def _looked(self, limit: int) -> int | None:
        """Return how many rows are read; None for all: a condition may let only a few of them pass."""
        return None if self.rows.conditions else max(LOOKED, LOOKED_FOR_EACH * limit)

    def _weighed(self) -> list[tuple[Phrase, float]]:
        """Return the terms in their order, with tokens as the index holds them, and with their weights."""
        found = []
        for term in self.plan.terms:
            key = keyed(term.tokens)
            hits = self.terms.hits(key)
            found.append((Phrase(term.text, key, term.weight), tokens.idf(hits, self.terms.rows)))
        return found


def _pattern(tokens: Sequence[str]) -> str:
    """Return a regular expression that counts overlapping occurrences too. Tokens have no special characters."""
    return f"{adjacent(tokens[:1])}(?={adjacent(tokens[1:])})"


def enough(scores: Sequence[float], candidates: Sequence[Candidate], *, limit: int, asked: int) -> bool:
    """Return True if no row that was not a candidate can be among the best.

    Args:
        scores: Final scores of the hits, best first.
        candidates: The candidates that they were chosen from.
        limit: Number of hits that are wanted.
        asked: Number of candidates that were asked for.
    """
    if len(candidates) < asked:
        return True
    if len(scores) < limit or scores[limit - 1] <= candidates[-1].unread * _MARGIN:
        return False
    # If a server adds up otherwise, its scores are only near.
    return all(each.exact for each in candidates) or scores[limit - 1] > candidates[-1].estimate * _MARGIN

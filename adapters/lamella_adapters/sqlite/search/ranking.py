"""Find the best rows of a full-text index by BM25, with few reads."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final
from weakref import WeakSet

import apsw
from attrs import field, frozen

from lamella.domain.search.weights import kind_weight
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema.migrations import ACCOUNT
from lamella_adapters.sqlite.tables.term_statistics import SearchIndex
from lamella_adapters.statements import statements

SQL = statements(__file__)

_MOST_PAIRED = 6
"""Maximum number of essential terms to search for in pairs. There is a limit because a query lists all pairs."""

_SPARE = 40
"""Number of rows to read beyond twice the limit, because a `Factor` changes the order of rows."""

SPLIT_ROWS = 1_000
"""If the index has fewer rows, all rows are scored. Counting the rows of each term would take longer."""

_ALL = -1
"""SQLite's value for no limit."""
_NAME: Final = "average_length"
_AVERAGE: Final = f"SELECT {_NAME}({{index}}) FROM {{index}} WHERE {{index}} MATCH ? LIMIT 1"  # noqa: S608 - the names of indexes are our own constants

_prepared: Final[WeakSet[apsw.Connection]] = WeakSet()
"""Connections to which the SQL function `average_length` was added."""


@frozen
class Scored:
    """Row with its text score, and with its final score, which is at most as high."""

    sequence: int
    by_words: float
    score: float


@frozen(kw_only=True)
class Factor:
    """Factor of at most 1 to multiply text scores with.

    `of_row` is SQL for the factor of the row `ranked.seq`. This SQL may use the `values` of the ranking. `highest`
    is an upper bound for the factors of all rows.
    """

    of_row: str
    highest: float


_NONE = Factor(of_row="1.0", highest=1.0)


@frozen(kw_only=True)
class Ranking:
    """Ranking of the rows of one index that pass a condition.

    Terms that occur in few rows are essential. The score of a row without an essential term is at most the sum of
    the other terms' highest scores. If the best rows with an essential term score higher than this sum, no other
    row needs to be read. Otherwise, more terms become essential. So the result is the same as if all rows were
    scored. (This is the idea of MaxScore: Turtle and Flood, "Query evaluation: strategies and optimizations",
    1995.)

    Rows with both an essential and another term are scored first. Rows with only essential terms are then scored
    if they can still get into the result.

    `weights` are the weights of the index's columns. `passing` is SQL that begins with ` AND ` and may use
    `values`.

    A `factor` multiplies each text score by a number of at most 1. Rows are read in descending order of text
    score. Reading ends when, even with the highest factor, the next row couldn't come before the best rows.
    """

    index: SearchIndex
    weights: Sequence[float]
    passing: str = ""
    factor: Factor | None = None
    values: Mapping[str, object] = field(factory=dict)

    def best(self, terms: Sequence[bm25.Phrase], limit: int) -> list[tuple[int, float]]:
        """Return the best rows with any of `terms`, with their scores, best first.

        Of rows with equal scores, the latest comes first.
        """
        if terms and self.index.rows < SPLIT_ROWS:
            return self._with_any(terms, (), {}, limit)
        counted = {term: self.index.count(term) for term in dict.fromkeys(terms)}
        highest = {term: bm25.highest_score(each.at_least, self.index.rows) for term, each in counted.items()}
        # Essential terms come first, so stop at the first common term. A later term may be rare, because terms are
        # ordered by their rarest tokens, not by their numbers of rows. Such a term doesn't count as essential.
        rare = takewhile(lambda term: counted[term].hits <= bm25.ESSENTIAL_SHARE * self.index.rows, terms)
        essential = len([*rare]) or 1
        while terms:
            best = self._with_any(terms[:essential], terms[essential:], highest, limit)
            least = best[-1][1] if len(best) == limit else 0
            enough = next(n for n in range(len(terms) + 1) if sum(map(highest.__getitem__, terms[n:])) <= least)
            if enough <= essential:
                return best
            essential = enough
        return []

    def _with_any(
        self,
        essential: Sequence[bm25.Phrase],
        others: Sequence[bm25.Phrase],
        highest: Mapping[bm25.Phrase, float],
        limit: int,
    ) -> list[tuple[int, float]]:
        """Return the best rows with an essential term, with their scores by all terms."""
        if self.factor is None:
            return _best(self._by_words(essential, others, highest, limit), limit)
        candidates = 2 * limit + _SPARE
        found = self._by_words(essential, others, highest, candidates)
        best = _best(found, limit)
        # No unread row has a higher text score than the last row read.
        if len(found) >= candidates:
            next_by_words = sorted((each.by_words for each in found), reverse=True)[candidates - 1]
            least = best[-1][1]
            if least <= next_by_words * self.factor.highest:
                best = _best(self._by_words(essential, others, highest, _ALL, least), limit)
        return best

    def _by_words(
        self,
        essential: Sequence[bm25.Phrase],
        others: Sequence[bm25.Phrase],
        highest: Mapping[bm25.Phrase, float],
        limit: int,
        least: float = 0.0,
    ) -> list[Scored]:
        """Return the best `limit` rows by text score, or all rows that can reach the score `least`.

        The result may contain more rows.
        """
        if not others:
            return [*self._run(any_of(essential), limit, least).values()]
        found = self._run(f"({any_of(essential)}) AND ({any_of(others)})", limit, least)
        if len(found) == limit:
            by_words = min(each.by_words for each in found.values())
            least = max(least, by_words * (self.factor or _NONE).highest)
        among = _scoring({term: essential.count(term) * highest[term] for term in essential}, least)
        alone = {} if among is None else self._run(any_of(essential), limit, least, among)
        return [*(alone | found).values()]

    def _run(self, match: str, limit: int, least: float, among: str = "") -> dict[int, Scored]:
        """Return the best rows that match `match` and, if given, `among`. They are keyed by sequence number."""
        factor, index = self.factor or _NONE, self.index.name
        statement = SQL["rank"].format(
            index=index,
            weights=", ".join(map(str, self.weights)),
            passing=SQL["among"].format(index=index) * bool(among) + self.passing,
            factor=factor.of_row,
        )
        asked = {"match": match, "among": among, "limit": limit, "enough": -least, "highest": factor.highest}
        found = fetch(self.index.connection, statement, {**self.values, **asked})
        return {sequence: Scored(sequence, -score, -score * factor) for sequence, score, factor in found}


@frozen(kw_only=True)
class RowScores:
    """Ranking of the rows that pass `conditions`, computed in Python with the scores of `Ranking`.

    FTS5 would score all rows with any of the words. This class reads only the rows that pass, such as hits of a
    vector search. Scores are computed as in the in-memory storage, so that they are equal to the last bit.

    `conditions` are SQL about the row `o` of `observation`, and may use `values`.
    """

    index: SearchIndex
    conditions: str
    values: Mapping[str, object]

    def best(self, terms: Sequence[bm25.Phrase], limit: int) -> list[tuple[int, float]]:
        """See `Ranking.best`."""
        hits = {each: self.index.hits(each) for each in dict.fromkeys(terms)}
        held = next((term for term, count in hits.items() if count), None)
        if held is None:
            return []
        weighed = [(term, tokens.idf(hits[term], self.index.rows)) for term in terms]
        average = average_length(self.index.connection, self.index.name, held)
        statement = SQL["columns"].format(account=ACCOUNT, conditions=self.conditions)
        scores = {
            sequence: bm25.bm25([bm25.tokens(text) for text in texts], weighed, average) * kind_weight(kind)
            for sequence, kind, *texts in fetch(self.index.connection, statement, self.values)
        }
        return _sorted({sequence: score for sequence, score in scores.items() if score > 0}, limit)


def _best(found: Iterable[Scored], limit: int) -> list[tuple[int, float]]:
    return _sorted({each.sequence: each.score for each in found}, limit)


def _sorted(scores: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
    best = sorted((-score, -sequence) for sequence, score in scores.items())[:limit]
    return [(-sequence, -score) for score, sequence in best]


def _scoring(highest: Mapping[bm25.Phrase, float], least: float) -> str | None:
    """Return an FTS5 query for all rows that can reach the score `least`.

    `highest` has the highest score of each term. A row can reach `least` if it has a term whose highest score
    reaches `least`, or if it has two other terms.

    Returns:
        The query. It is empty if every term is enough by itself, and None if no row can reach `least`.
    """
    weak = [term for term, score in highest.items() if score < least][-_MOST_PAIRED:]
    if not weak:
        return ""
    pairs = [f"({term.text} AND ({any_of(weak[place:])}))" for place, term in enumerate(weak[:-1], 1)]
    return " OR ".join([*(term.text for term in highest if term not in weak), *pairs]) or None


def any_of(phrases: Iterable[bm25.Phrase]) -> str:
    """Return an FTS5 query for rows with any of the phrases."""
    return " OR ".join(each.text for each in phrases)


def average_length(connection: apsw.Connection, index: str, phrase: bm25.Phrase) -> float:
    """Return the average number of tokens in the rows of an index. At least one row must have `phrase`."""
    if connection not in _prepared:
        connection.register_fts5_function(_NAME, lambda row, *_: row.column_total_size(-1) / row.row_count)
        _prepared.add(connection)
    return float(connection.execute(_AVERAGE.format(index=index), (phrase.text,)).get)

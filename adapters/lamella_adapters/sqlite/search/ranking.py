"""The best rows of a full-text index by BM25, found with as little reading as possible."""

from collections.abc import Iterable, Mapping, Sequence

import apsw
from attrs import field, frozen

from lamella_adapters.fts5 import bm25
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.search.frequent_terms import Rest, completed
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics, quoted

# Put together from constants of our modules; values are always bound.
# ORDER BY bm25() in a subquery costs half of ORDER BY rank. FTS5 gives better rows lower scores. The factor stands
# outside, so that it is asked for of the best rows only.
_RANK = """
SELECT seq, score, {factor} FROM (
  SELECT seq, score FROM (
    SELECT rowid AS seq, bm25({index}, {weights}) AS score FROM {index} WHERE {index} MATCH :match{passing}
  ) WHERE score * :highest <= :enough ORDER BY score, seq DESC LIMIT :limit
)
"""

_LOOKED_AT = 384
"""So many of the best rows by essential terms nearly always hold all that can be among the best by all terms."""

_MANY_HITS = 50_000
"""Where the other terms stand in so many rows, FTS5 counts these longer than a few scores are computed here.

Measured: no difference at 25,000, two fifths of the time saved at 220,000.
"""

_SPARE = 40
"""Beyond twice the limit, so many rows are looked at for how far they fall behind."""

_ALL = -1
"""SQLite's limit that is none."""


@frozen
class Scored:
    """A row with its score by words, and with that of the answer, which is never higher."""

    sequence: int
    by_words: float
    score: float


@frozen(kw_only=True)
class Factor:
    """What lowers the scores by words of a ranking.

    `of_row` is SQL for the factor of the row `seq`, at most 1, which may use `values`; that of no row is larger
    than `highest`.
    """

    of_row: str
    highest: float


_NONE = Factor(of_row="1.0", highest=1.0)


@frozen(kw_only=True)
class Ranking:
    """Ranks the rows of one index that pass a condition.

    Terms in few rows are essential. No row without one can score more than the other terms' highest scores
    together; where the best rows with an essential term beat that, the rest need not be looked at. Otherwise as
    many terms become essential as it takes, so that the answer is always the whole query's (the idea of MaxScore:
    Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).

    `rows` is how many the index has, `changes` how many changes it has seen. `weights` are those of its columns.
    `passing` is SQL that begins with ` AND ` and may use `values`.

    With a `factor` the rows are ranked by words first, and lowered then: the best are found once the next row by
    words could not come before them even with the highest factor.
    """

    connection: apsw.Connection
    terms: TermStatistics
    weights: Sequence[float]
    rows: int
    changes: int
    passing: str = ""
    factor: Factor | None = None
    values: Mapping[str, object] = field(factory=dict)

    def best(self, phrases: Sequence[bm25.Phrase], limit: int) -> list[tuple[int, float]]:
        """Sequence numbers and scores, best first, equal scores the later saved first."""
        counted = {phrase: self.terms.count(self.connection, phrase, self.changes) for phrase in phrases}
        present = bm25.terms(phrases, lambda phrase: counted[phrase].hits, self.rows)
        highest = [bm25.highest_score(counted[phrase].at_least, self.rows) for phrase in present]
        essential = sum(bm25.essential(counted[phrase].hits, self.rows) for phrase in present) or 1
        while present:
            best = self._with_any(present[:essential], present[essential:], limit)
            least = best[-1][1] if len(best) == limit else 0
            enough = next(n for n in range(len(present) + 1) if sum(highest[n:]) <= least)
            if enough <= essential:
                return best
            essential = enough
        return []

    def _with_any(
        self, essential: Sequence[bm25.Phrase], others: Sequence[bm25.Phrase], limit: int
    ) -> list[tuple[int, float]]:
        """The best rows that contain an essential term, with the scores that all terms give them."""
        if self.factor is None:
            exact = [self.terms.count(self.connection, each, self.changes, drift=0).hits for each in others]
            if sum(exact) >= _MANY_HITS:
                return self._completed(essential, others, exact, limit)
            return _best(self._by_words(essential, others, limit), limit)
        looked_at = 2 * limit + _SPARE
        found = self._by_words(essential, others, looked_at)
        best = _best(found, limit)
        # Whichever was not looked at scores no more by words than the last of them.
        if len(found) >= looked_at:
            next_by_words = sorted((each.by_words for each in found), reverse=True)[looked_at - 1]
            least = best[-1][1]
            if least <= next_by_words * self.factor.highest:
                best = _best(self._by_words(essential, others, _ALL, least), limit)
        return best

    def _completed(
        self,
        essential: Sequence[bm25.Phrase],
        others: Sequence[bm25.Phrase],
        hits: Sequence[int],
        limit: int,
    ) -> list[tuple[int, float]]:
        """The same, but only of rows that can be among the best it is asked what other terms give them.

        `hits` says in how many rows each of these stands.
        """
        most_added = sum(bm25.highest_score(each, self.rows) for each in hits)
        looked_at = max(limit, _LOOKED_AT)
        ranked = self._found(_any(essential), looked_at)
        least = -ranked[limit - 1][1] - most_added if len(ranked) >= limit else 0.0
        if len(ranked) == looked_at and -ranked[-1][1] >= least:
            ranked = self._found(_any(essential), _ALL, least)
        known = {sequence: -score for sequence, score, _ in ranked if -score >= least}
        rest = Rest(known=known, first=len(essential), hits=hits, weights=self.weights)
        return _sorted(known | completed(self.connection, self.terms.index, _both(essential, others), rest), limit)

    def _by_words(
        self, essential: Sequence[bm25.Phrase], others: Sequence[bm25.Phrase], limit: int, least: float = 0.0
    ) -> list[Scored]:
        """Among them the best rows by words, so many or all that can score `least`; any others are no better."""
        found = self._run(_any(essential), limit, least)
        if others:
            found |= self._run(_both(essential, others), limit, least)
        return list(found.values())

    def _run(self, match: str, limit: int, least: float) -> dict[int, Scored]:
        found = self._found(match, limit, least)
        return {sequence: Scored(sequence, -score, -score * factor) for sequence, score, factor in found}

    def _found(self, match: str, limit: int, least: float = 0.0) -> list[tuple[int, float, float]]:
        factor = self.factor or _NONE
        statement = _RANK.format(
            index=self.terms.index,
            weights=", ".join(map(str, self.weights)),
            passing=self.passing,
            factor=factor.of_row,
        )
        asked = {**self.values, "match": match, "limit": limit, "enough": -least, "highest": factor.highest}
        return fetch(self.connection, statement, asked)


def _best(found: Iterable[Scored], limit: int) -> list[tuple[int, float]]:
    return _sorted({each.sequence: each.score for each in found}, limit)


def _sorted(scores: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda each: (-each[1], -each[0]))[:limit]


def _both(essential: Iterable[bm25.Phrase], others: Iterable[bm25.Phrase]) -> str:
    return f"({_any(essential)}) AND ({_any(others)})"


def _any(phrases: Iterable[bm25.Phrase]) -> str:
    return " OR ".join(map(quoted, phrases))

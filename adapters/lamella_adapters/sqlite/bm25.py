"""The best rows of a full-text index by BM25, found with as little reading as possible."""

from collections.abc import Iterable, Mapping, Sequence

import apsw
from attrs import field, frozen

from lamella_adapters import ranking
from lamella_adapters.sqlite.statistics import TermStatistics, quoted

# Put together from constants of our modules; values are always bound.
# ORDER BY bm25() in a subquery costs half of ORDER BY rank. FTS5 gives better rows lower scores.
_RANK = """
SELECT seq, score FROM (
  SELECT rowid AS seq, bm25({index}, {weights}){factor} AS score FROM {index} WHERE {index} MATCH :match{passing}
) ORDER BY score, seq DESC LIMIT :limit
"""


@frozen(kw_only=True)
class Ranking:
    """Ranks the rows of one index that pass a condition.

    Terms in few rows are essential. No row without one can score more than the other terms' highest scores
    together; where the best rows with an essential term beat that, the rest need not be looked at. Otherwise as
    many terms become essential as it takes, so that the answer is always the whole query's (the idea of MaxScore:
    Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).

    `rows` is how many the index has, `changes` how many changes it has seen. `weights` are those of its columns.
    `passing` is SQL that begins with ` AND ` and may use `values`. Where `few` pass, all terms are essential.
    `factor` is SQL that begins with ` * `, may use them too, and makes no score higher.
    """

    connection: apsw.Connection
    terms: TermStatistics
    weights: Sequence[float]
    rows: int
    changes: int
    passing: str = ""
    factor: str = ""
    values: Mapping[str, object] = field(factory=dict)
    few: bool = False

    def best(self, phrases: Sequence[ranking.Phrase], limit: int) -> list[tuple[int, float]]:
        """Sequence numbers and scores, best first, equal scores the later saved first."""
        counted = {phrase: self.terms.count(self.connection, phrase, self.changes) for phrase in phrases}
        present = ranking.terms(phrases, lambda phrase: counted[phrase].hits, self.rows)
        highest = [ranking.highest_score(counted[phrase].at_least, self.rows) for phrase in present]
        essential = sum(self.few or ranking.essential(counted[phrase].hits, self.rows) for phrase in present) or 1
        while present:
            best = self._with_any(present[:essential], present[essential:], limit)
            least = best[-1][1] if len(best) == limit else 0
            enough = next(n for n in range(len(present) + 1) if sum(highest[n:]) <= least)
            if enough <= essential:
                return best
            essential = enough
        return []

    def _with_any(
        self, essential: Sequence[ranking.Phrase], others: Sequence[ranking.Phrase], limit: int
    ) -> list[tuple[int, float]]:
        """The best rows that contain an essential term, with the scores that all terms give them."""
        scores = dict(self._run(_any(essential), limit))
        if others:
            scores |= self._run(f"({_any(essential)}) AND ({_any(others)})", limit)
        return sorted(scores.items(), key=lambda each: (-each[1], -each[0]))[:limit]

    def _run(self, match: str, limit: int) -> list[tuple[int, float]]:
        weights = ", ".join(map(str, self.weights))
        statement = _RANK.format(index=self.terms.index, weights=weights, passing=self.passing, factor=self.factor)
        found = self.connection.execute(statement, {**self.values, "match": match, "limit": limit})
        return [(sequence, -score) for sequence, score in found]


def _any(phrases: Iterable[ranking.Phrase]) -> str:
    return " OR ".join(map(quoted, phrases))

"""The best rows of one part of an index by BM25.

SQL finds candidates by scores that may differ in the last digits; the final scores are added up from the tokens of
the candidates, as every storage does it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.fts5.bm25 import B, K1, Phrase
from lamella_adapters.fts5.plan import Plan
from lamella_adapters.postgresql.database.turn import Row
from lamella_adapters.postgresql.search.vocabulary import Question, Terms
from lamella_adapters.postgresql.tables.index import columns_of, keyed

SPARE = 12
"""Candidates beyond the limit."""

MORE = 4
"""Factor by which the candidates grow when they were too few."""

_MARGIN = 1 + 1e-9
"""Most by which a score of SQL may be too low."""

# Conditions, columns and factors are constants of our modules; values are always bound.
_SINGLE = """
  SELECT a.idf, p.seq, p.weight, p.length
  FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS a (term, idf)
  JOIN posting AS p ON p.project = here() AND p.part = %(part)s AND p.term = a.term"""
_PHRASED = """phrased AS (
  SELECT f.place, f.times, d.seq, d.length, (2.0 * regexp_count(split_part(d.tokens, E'\\n', 1), f.pattern)
    + regexp_count(split_part(d.tokens, E'\\n', 2), f.pattern)
    + 0.5 * regexp_count(split_part(d.tokens, E'\\n', 3), f.pattern)
    + 0.3 * regexp_count(split_part(d.tokens, E'\\n', 4), f.pattern))::float8 AS weight
  FROM unnest(%(places)s::int[], %(rarest)s::text[], %(adjacent)s::text[], %(patterns)s::text[], %(times)s::float8[])
    AS f (place, rarest, adjacent, pattern, times)
  JOIN posting AS p ON p.project = here() AND p.part = %(part)s AND p.term = f.rarest
  JOIN document AS d ON d.project = here() AND d.part = %(part)s AND d.seq = p.seq
  WHERE strpos(d.tokens, f.adjacent) > 0
), """
_OF_PHRASES = f"""{_SINGLE} UNION ALL
  SELECT h.times * greatest(1e-6, ln((%(rows)s - c.hits + 0.5)::float8 / (c.hits + 0.5)::float8)),
    h.seq, h.weight, h.length
  FROM phrased AS h JOIN (SELECT place, count(*) AS hits FROM phrased GROUP BY place) AS c USING (place)"""  # noqa: S608 - see above
_COUNT = f"WITH {_PHRASED.rstrip(', ')} SELECT place, count(*) FROM phrased GROUP BY place"  # noqa: S608 - see above
_NO_PHRASES = "SELECT 0, 0 WHERE false"
_RANK = f"""
WITH {{phrased}}ranked AS (
  SELECT seq, sum(idf * weight * {K1 + 1} / (weight + {K1} * ({1 - B} + {B} * length / %(average)s::float8))) AS score
  FROM ({{held}}) AS held GROUP BY seq
), best AS MATERIALIZED (
  SELECT r.seq, r.score * {{factor}} AS score
  FROM ranked AS r JOIN {{table}} AS o ON o.project = here() AND o.{{key}} = r.seq
  WHERE true{{conditions}} ORDER BY 2 DESC, 1 DESC LIMIT %(limit)s
)
SELECT {{columns}}, d.tokens, b.score
FROM best AS b JOIN {{table}} AS o ON o.project = here() AND o.{{key}} = b.seq
JOIN document AS d ON d.project = here() AND d.part = %(part)s AND d.seq = b.seq
ORDER BY b.score DESC, b.seq DESC
"""  # noqa: S608 - see above


@frozen(kw_only=True)
class Rows:
    """Rows that are ranked.

    Attributes:
        table: Table of the rows `o`.
        key: Its column with their number.
        columns: Columns that are read of each.
        factor: SQL of a factor of the score of each.
        conditions: Conditions on rows, each with a leading ` AND `.
        values: Values of these.
    """

    table: str
    key: str
    columns: str
    factor: str
    conditions: str = ""
    values: Mapping[str, object] = field(factory=dict)


@frozen(kw_only=True)
class Candidate:
    """A row with its own columns and its score by words."""

    row: Row
    by_words: float
    estimate: float


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

    def questions(self, limit: int) -> Sequence[Question]:
        """Return what to ask: the number of holders of each phrase, and `limit` candidates."""
        single, phrases = self._asked()
        statistics = {"rows": self.terms.rows, "average": self.terms.average_length or 1.0, "part": self.terms.part}
        values = {
            **statistics,
            "terms": [term for term, _ in single],
            "weights": [weight for _, weight in single],
            "places": list(range(len(phrases))),
            "rarest": [each.rarest for each in phrases],
            "adjacent": [each.adjacent for each in phrases],
            "patterns": [each.pattern for each in phrases],
            "times": [each.times for each in phrases],
        }
        statement = _RANK.format(
            phrased=_PHRASED if phrases else "",
            held=_OF_PHRASES if phrases else _SINGLE,
            columns=self.rows.columns,
            factor=self.rows.factor,
            table=self.rows.table,
            key=self.rows.key,
            conditions=self.rows.conditions,
        )
        return (_COUNT if phrases else _NO_PHRASES, values), (statement, {**values, **self.rows.values, "limit": limit})

    def candidates(self, counted: Sequence[tuple[int, int]], found: Sequence[Row]) -> list[Candidate]:
        """Return the candidates of the answers to `questions`, with their exact scores by words."""
        _, phrases = self._asked()
        hits = {phrases[place].tokens: count for place, count in counted}
        holders = self.terms.holders({token for term in self.plan.terms for token in term.tokens})
        weighed = []
        for term in self.plan.terms:
            key = keyed(term.tokens)
            count = hits.get(key, 0) if len(key) > 1 else holders[term.tokens[0]]
            weighed.append((Phrase(term.text, key, term.weight), tokens.idf(count, self.terms.rows)))
        average = self.terms.average_length
        return [
            Candidate(row=row, by_words=bm25.bm25(columns_of(row[-2]), weighed, average), estimate=row[-1])
            for row in found
        ]

    def _asked(self) -> tuple[list[tuple[str, float]], list["_Phrase"]]:
        """Return terms of one token with their weights, and phrases of several."""
        times = Counter(keyed(term.tokens) for term in self.plan.terms)
        holders = self.terms.holders({token for term in self.plan.terms for token in term.tokens})
        single, phrases = [], []
        for term in dict.fromkeys(self.plan.terms):
            key = keyed(term.tokens)
            if len(key) == 1:
                idf = tokens.idf(holders[term.tokens[0]], self.terms.rows)
                single.append((key[0], idf * times[key]))
            else:
                rarest = min(zip(term.tokens, key, strict=True), key=lambda pair: holders[pair[0]])[1]
                phrases.append(_Phrase(key, rarest, times[key]))
        return single, phrases


@frozen
class _Phrase:
    tokens: Sequence[str]
    rarest: str
    times: int

    @property
    def adjacent(self) -> str:
        return "".join(f" {token} " for token in self.tokens)

    @property
    def pattern(self) -> str:
        """A regular expression that counts overlapping occurrences too. Tokens have letters and digits only."""
        first, *others = (f" {token} " for token in self.tokens)
        return f"{first}(?={''.join(others)})"


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
    return len(scores) >= limit and scores[limit - 1] > candidates[-1].estimate * _MARGIN

"""Ranking of the rows in one part of an index by BM25.

SQL preselects candidates by approximate scores. Python then computes exact scores from their tokens, with the same
function for every storage.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

from attrs import evolve, field, frozen

from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.fts5.bm25 import K1, B, Phrase
from lamella_adapters.fts5.plan import Plan
from lamella_adapters.postgresql.database.transaction import Question, Row
from lamella_adapters.postgresql.search.vocabulary import Terms
from lamella_adapters.postgresql.tables.index import adjacent, columns_of, keyed
from lamella_adapters.statements import statements

SPARE = 12
"""Number of candidates to request in addition to the limit."""

MORE = 4
"""Factor by which the number of candidates grows after too few were found."""

LOOKED = 500
"""Minimum number of the best rows by text score to read from their table."""

LOOKED_FOR_EACH = 8
"""Rows to read from their table for each requested candidate. `LOOKED` is the minimum."""

READ_FIRST = 3
"""Rows to read in a first pass per requested candidate."""

SPLIT_ROWS_FOR_EACH, SPLIT_FROM = 2, 2
"""Minimum ratios for ranking by rare terms first.

The first is the number of rows with rare terms per requested candidate. Below this ratio, rows with rare terms
would rarely be enough. The second is the number of rows with frequent terms per row with rare terms. Below this
ratio, ranking by rare terms wouldn't be faster.
"""

_MARGIN = 1 + 1e-9
"""Upper bound of the rounding error of a score computed in SQL, as a factor."""

SQL = statements(__file__, k1=K1, k1_and_1=K1 + 1, b=B, rest=1 - B)


@frozen(kw_only=True)
class Rows:
    """Rows to rank, as parts of an SQL query.

    Attributes:
        table: Name of the table. Its alias is `o`.
        key: Column with the row's number in the index.
        columns: Columns to read.
        factor: SQL expression by which each text score is multiplied. Its value is at most 1, so the query can
            skip rows with low text scores.
        conditions: Conditions on rows, each with a leading ` AND `.
        among: Conditions on the row numbers in the index, each with a leading ` AND `. Set for a filter by ids, so
            that only those few rows are ranked.
        values: Values of the placeholders in the SQL of the other attributes.
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
    """Preselected row with its scores.

    Attributes:
        row: Values of `Rows.columns`.
        by_words: Exact text score.
        estimate: Final score computed in SQL.
        exact: True if SQL computed the same text score as Python.
        unread: Upper bound of the final scores of rows not read from their table.
    """

    row: Row
    by_words: float
    estimate: float
    exact: bool
    unread: float


@frozen
class Ranking:
    """Ranking of rows by the terms of a plan.

    Attributes:
        plan: Plan of the search.
        terms: Terms and statistics of the part of the index.
        rows: Rows to rank.
        rare: Number of leading terms that are rare: only rows with one of them are ranked. None to rank rows with
            any term.
    """

    plan: Plan
    terms: Terms
    rows: Rows
    rare: int | None = None

    def by_rare_terms(self, limit: int) -> "Ranking":
        """Return the ranking by rare terms only, if that is probably enough for the best `limit` rows."""
        hits = [self.terms.hits(term.tokens) for term, _ in self._weighed]
        most = bm25.ESSENTIAL_SHARE * self.terms.rows
        rare = next((place for place, count in enumerate(hits) if count > most), len(hits))
        few, many = sum(hits[:rare]), sum(hits[rare:])
        phrases = any(len(term.tokens) > 1 for term, _ in self._weighed[rare:])
        worth = few >= SPLIT_ROWS_FOR_EACH * limit and many >= SPLIT_FROM * few and not phrases
        return evolve(self, rare=rare) if worth and not self.rows.conditions else self

    @property
    def missed(self) -> float:
        """Upper bound of the text scores of rows that are not ranked."""
        return 0.0 if self.rare is None else sum((K1 + 1) * idf for _, idf in self._weighed[self.rare :])

    def question(self, limit: int) -> Question:
        """Return the query for the best `limit` rows."""
        weighed = list(enumerate(self._weighed))
        phrases = [(place, term.tokens, idf) for place, (term, idf) in weighed if len(term.tokens) > 1]
        single = [(place, term.tokens[0], idf) for place, (term, idf) in weighed if len(term.tokens) == 1]
        split = sum(place < (len(weighed) if self.rare is None else self.rare) for place, *_ in single)
        rare, frequent = single[:split], single[split:]
        ranked = SQL["phrased" if phrases else "single"].format(among=self.rows.among)
        statement = SQL["rank"].format(
            held=SQL["rare_first"].format(held=ranked) if frequent else ranked,
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
            "places": [place for place, *_ in rare],
            "terms": [term for _, term, _ in rare],
            "weights": [idf for *_, idf in rare],
            "phrases": [place for place, *_ in phrases],
            "rarest": [min(tokens, key=held.__getitem__) for _, tokens, _ in phrases],
            "adjacent": [adjacent(tokens) for _, tokens, _ in phrases],
            # These patterns also match overlapping occurrences. Tokens need no escaping: they have no special
            # characters.
            "patterns": [f"{adjacent(tokens[:1])}(?={adjacent(tokens[1:])})" for _, tokens, _ in phrases],
            "idfs": [idf for *_, idf in phrases],
            "frequent_places": [place for place, *_ in frequent],
            "frequent": [term for _, term, _ in frequent],
            "frequent_weights": [idf for *_, idf in frequent],
            "limit": limit,
            # If there are conditions, read all rows: the conditions may reject nearly all of them.
            "looked": None if self.rows.conditions else max(LOOKED, LOOKED_FOR_EACH * limit),
            "first": READ_FIRST * limit,
            **self.rows.values,
        }

    def candidates(self, found: Sequence[Row]) -> list[Candidate]:
        """Convert the rows of `question` to candidates, and compute their exact text scores."""
        weighed, average = self._weighed, self.terms.average_length
        candidates = []
        for row in found:
            *own, tokens, by_words, estimate, unread = row
            score = bm25.bm25(columns_of(tokens), weighed, average)
            exact = score == by_words
            candidates.append(
                Candidate(row=tuple(own), by_words=score, estimate=estimate, exact=exact, unread=unread)
            )
        return candidates

    @cached_property
    def _weighed(self) -> list[tuple[Phrase, float]]:
        """Return the plan's terms in the order of `bm25.terms`, with their tokens as index keys, and their IDF."""
        found = []
        for term in self.plan.terms:
            key = keyed(term.tokens)
            hits = self.terms.hits(key)
            found.append((Phrase(term.text, key, term.weight), tokens.idf(hits, self.terms.rows)))
        return found


def enough(
    scores: Sequence[float], candidates: Sequence[Candidate], *, limit: int, asked: int, missed: float = 0.0
) -> bool:
    """Return True if only candidates can be among the best hits, so that no more candidates are needed.

    Args:
        scores: Final scores of the hits, best first.
        candidates: Candidates that the hits were selected from.
        limit: Number of hits wanted.
        asked: Number of candidates requested.
        missed: Upper bound of the final scores of rows that were not ranked.
    """
    if len(candidates) < asked and not missed:
        return True
    unread = max(missed, candidates[-1].unread if candidates else 0.0)
    if len(scores) < limit or scores[limit - 1] <= unread * _MARGIN:
        return False
    if len(candidates) < asked:
        return True
    # The server may sum in another order, so its scores have rounding errors.
    return all(each.exact for each in candidates) or scores[limit - 1] > candidates[-1].estimate * _MARGIN

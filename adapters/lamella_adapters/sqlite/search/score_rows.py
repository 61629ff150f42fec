"""BM25 scores for given rows, such as hits found by vector search only.

FTS5 would go through all rows with any of the words. This module reads the given rows and scores them as the
in-memory storage does, which gives the same scores to the last bit.
"""

from collections.abc import Mapping, Sequence

import apsw
from attrs import frozen

from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.search.frequent_terms import average_length
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics

# The texts that the triggers in `schema` pass to FTS5. Conditions are made of our own constants.
_COLUMNS = """
SELECT seq, indexed_title, heading || char(10) || content, sub, context FROM observation AS o
WHERE {seen}{conditions}
"""


@frozen(kw_only=True)
class RowScores:
    """Ranking of the rows that pass `conditions`, computed in Python with the scores of `Ranking`.

    `seen` and `conditions` are SQL about the row `o` of `observation`, and may use `values`. `rows` is the number
    of rows in the index of `terms`, `changes` the number of changes that it has seen.
    """

    connection: apsw.Connection
    terms: TermStatistics
    rows: int
    changes: int
    seen: str
    conditions: str
    values: Mapping[str, object]

    def best(self, phrases: Sequence[bm25.Phrase], limit: int) -> list[tuple[int, float]]:
        """Return sequence numbers and scores, best first, the later saved first among equals."""
        hits = {each: self.terms.count(self.connection, each, self.changes, drift=0).hits for each in phrases}
        present = bm25.terms(phrases, hits.__getitem__, self.rows)
        if not present:
            return []
        weighed = [(phrase, tokens.idf(hits[phrase], self.rows)) for phrase in present]
        average = average_length(self.connection, self.terms.index, present[0])
        statement = _COLUMNS.format(seen=self.seen, conditions=self.conditions)
        scores = {
            sequence: bm25.bm25([bm25.tokens(text) for text in texts], weighed, average)
            for sequence, *texts in fetch(self.connection, statement, self.values)
        }
        found = [(sequence, score) for sequence, score in scores.items() if score > 0]
        return sorted(found, key=lambda each: (-each[1], -each[0]))[:limit]

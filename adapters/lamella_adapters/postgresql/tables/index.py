"""Inverted index: documents, their postings, and the counts of both.

A posting holds the frequency of a term as BM25 counts it, weighted by columns and added up in the same order. The
tokens of a document are kept beside it, for phrases and for the final score.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from attrs import frozen

from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.keys import stored_key
from lamella_adapters.fts5 import bm25
from lamella_adapters.postgresql.database.turn import Turn

LIVE, PURGED, MESSAGES = 0, 1, 2
"""Parts of the index of a project, each with statistics of its own."""

_ADD_DOCUMENTS = """
WITH arrived AS (
  INSERT INTO document (project, part, seq, length, tokens)
  SELECT here(), * FROM unnest(%(parts)s::int[], %(seqs)s::bigint[], %(lengths)s::int[], %(tokens)s::text[])
  RETURNING part, length
)
INSERT INTO index_size AS s (project, part, documents, tokens)
SELECT here(), part, count(*), sum(length) FROM arrived GROUP BY part
ON CONFLICT (project, part) DO UPDATE
SET documents = s.documents + excluded.documents, tokens = s.tokens + excluded.tokens
"""
_ADD_POSTINGS = """
WITH arrived AS (
  INSERT INTO posting (project, part, term, seq, weight, length)
  SELECT here(), d.part, t.term, d.seq, t.weight, d.length
  FROM unnest(%(places)s::int[], %(terms)s::text[], %(weights)s::float8[]) AS t (place, term, weight)
  JOIN unnest(%(parts)s::int[], %(seqs)s::bigint[], %(lengths)s::int[])
    WITH ORDINALITY AS d (part, seq, length, place) USING (place)
  RETURNING part, term
)
INSERT INTO term AS t (project, part, term, holders)
SELECT here(), part, term, count(*) FROM arrived GROUP BY part, term
ON CONFLICT (project, part, term) DO UPDATE SET holders = t.holders + excluded.holders
"""
_REMOVE = """
WITH gone AS (
  DELETE FROM document WHERE project = here() AND part = ANY(%(parts)s::int[]) AND seq = ANY(%(seqs)s::bigint[])
  RETURNING part, seq, length, tokens
), word AS MATERIALIZED (SELECT part, seq, words_of(tokens) AS term FROM gone),
fewer AS (SELECT part, term, count(*) AS count FROM word GROUP BY part, term),
postings AS (
  DELETE FROM posting AS p USING word AS w
  WHERE p.project = here() AND p.part = w.part AND p.term = w.term AND p.seq = w.seq
), held AS (
  UPDATE term AS t SET holders = t.holders - f.count FROM fewer AS f
  WHERE t.project = here() AND t.part = f.part AND t.term = f.term AND t.holders > f.count
), unheld AS (
  DELETE FROM term AS t USING fewer AS f
  WHERE t.project = here() AND t.part = f.part AND t.term = f.term AND t.holders <= f.count
)
UPDATE index_size AS s SET documents = s.documents - g.documents, tokens = s.tokens - g.tokens
FROM (SELECT part, count(*) AS documents, sum(length) AS tokens FROM gone GROUP BY part) AS g
WHERE s.project = here() AND s.part = g.part
"""


@frozen
class Document:
    """Indexed words of an observation or message.

    Attributes:
        part: Part of the index.
        seq: Its number.
        columns: Tokens of its columns.
    """

    part: int
    seq: int
    columns: Sequence[Sequence[str]]

    @classmethod
    def of(cls, part: int, seq: int, texts: Iterable[str]) -> "Document":
        """Return the document of some texts, one for each column. Taking them apart is slow."""
        return cls(part, seq, [keyed(bm25.tokens(text)) for text in texts])

    @property
    def length(self) -> int:
        """Number of its tokens."""
        return sum(map(len, self.columns))

    @property
    def stored(self) -> str:
        """Its tokens as text: a line for each column, and blanks on both sides of each token."""
        return "\n".join(map(adjacent, self.columns))

    def weights(self) -> dict[str, float]:
        """Return the frequency of each term, as BM25 adds it up."""
        added: dict[str, float] = {}
        for weight, column in zip(COLUMN_WEIGHTS, self.columns, strict=True):
            for token, count in Counter(column).items():
                for _ in range(count):
                    added[token] = added.get(token, 0.0) + weight
        return added


def keyed(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return tokens as the index holds them, which bounds its keys."""
    return tuple(map(stored_key, tokens))


def adjacent(tokens: Iterable[str]) -> str:
    """Return tokens in a row as they stand in a stored document."""
    return "".join(f" {token} " for token in tokens)


def columns_of(stored: str) -> list[list[str]]:
    """Return the tokens of a stored document by column."""
    return [[token for token in column.split(" ") if token] for column in stored.split("\n")]


def add(turn: Turn, documents: Sequence[Document]) -> None:
    """Add documents that the index does not have."""
    if not documents:
        return
    weighed = [
        (place, term, weight) for place, each in enumerate(documents, 1) for term, weight in each.weights().items()
    ]
    values = {
        "parts": [each.part for each in documents],
        "seqs": [each.seq for each in documents],
        "lengths": [each.length for each in documents],
    }
    turn.run(_ADD_DOCUMENTS, **values, tokens=[each.stored for each in documents])
    places, terms, weights = ([each[column] for each in weighed] for column in range(3))
    turn.run(_ADD_POSTINGS, **values, places=places, terms=terms, weights=weights)


def remove(turn: Turn, seqs: Collection[int], *, parts: Sequence[int] = (LIVE, PURGED)) -> None:
    """Take documents out of some parts."""
    if seqs:
        turn.run(_REMOVE, seqs=list(seqs), parts=list(parts))


def replace(turn: Turn, documents: Sequence[Document]) -> None:
    """Put documents of observations in the place of those with the same numbers."""
    remove(turn, [each.seq for each in documents])
    add(turn, documents)

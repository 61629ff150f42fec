"""Vector index of one project, with search for nearest neighbours."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.query import Filters, Hit, Match, RecallQuery
from lamella.domain.transactions.embedding import require_adopted
from lamella.ports.storage.vectors import Coverage, Nearest, VectorIndex
from lamella_adapters.postgresql.database.transaction import Question, Row, Transaction
from lamella_adapters.postgresql.search.filter_conditions import conditions
from lamella_adapters.postgresql.tables import index, observation_rows, questions, vector_rows
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__)

CODED_FROM = 4_000
"""Number of vectors from which sign codes preselect candidates, as in SQLite."""

CANDIDATES_AT_LEAST, CANDIDATES_EACH, CANDIDATES_SHARE = 400, 20, 0.01
"""Number of candidates by sign codes: the minimum, the number per wanted hit, and the share of all vectors.

Measured recall: 98 % of the ten nearest neighbours.
"""

INDEXED_AT_LEAST, INDEXED_EACH = 200, 5
"""Candidates from an index of the extension `vector`: the minimum, and the number per wanted hit.

Such a candidate costs more than one from a scan. Measured: with 4 per hit, 0.1 of the 40 nearest vectors are
missed on average.
"""

_MARGIN = 1e-6
"""Largest rounding error of a cosine computed by numpy."""

_THESE = observation_rows.SELECT + " AND o.seq = ANY(%(seqs)s::bigint[])"


@define(eq=False)
class PostgresVectors(InTransactions, VectorIndex):
    """Vectors of one project's memories, computed by `model`."""

    model: EmbeddingModel

    def nearest(self, vector: Vector, query: RecallQuery, *, compared: Collection[UUID] = ()) -> Nearest:
        """See `VectorIndex.nearest`."""
        self.model.require(vector)
        limit, filters = query.limit, query.filters
        with self.scope.reading() as tx:
            live, purged, others = self._asked(
                tx,
                _near(vector, limit, filters, index.LIVE),
                _near(vector, limit if query.include_purged else 0, filters, index.PURGED),
                (questions.SQL["vectors"], {"ids": list(compared)}),
            )
            best = [*_best(vector, live, limit), *_best(vector, purged, limit)][:limit]
            rows = tx.rows(_THESE, seqs=[seq for seq, _ in best], last=True)
        found = {row[2]: row for row in rows}
        hits: list[Hit] = [
            observation_rows.hit(tx.project, found[seq], Match.MEANING, score=score) for seq, score in best
        ]
        similarities: Mapping[UUID, float] = {id: vector.cosine(Vector(components)) for id, components in others}
        return Nearest(hits=tuple(hits), similarities=similarities)

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        with self.scope.reading() as tx:
            ((row,),) = self._asked(tx, (SQL["coverage"], {}), last=True)
        embedded, total = row
        return Coverage(embedded=embedded, total=total)

    def _asked(self, tx: Transaction, *questions: Question, last: bool = False) -> list[list[Row]]:
        """Return the rows of each query, after checking that the project's vectors are from this model.

        Raises:
            OtherModelError: The project has vectors of another model, or has no model yet.
        """
        model, *answers = tx.answers((SQL["model"], {}), *questions, last=last)
        ((name, dimension),) = model
        require_adopted(self.model, None if name is None else EmbeddingModel(name, dimension))
        return answers


def _near(vector: Vector, limit: int, filters: Filters, part: int) -> Question:
    """Return the query for the candidates of a part of the index."""
    if not limit:
        return SQL["by_none"], {}
    condition, values = conditions(filters)
    # With a filter, don't use the index: it returns a fixed number of candidates, and the filter could reject all
    # of them.
    by_index = part == index.LIVE and not condition
    passing = SQL["passing"].format(which="NOT IN" if part == index.LIVE else "IN")
    statement = SQL["nearest"].format(
        near=SQL["by_index" if by_index else "by_none"].format(coded_from=CODED_FROM),
        passing=passing + SQL["filtered"].format(conditions=condition) * bool(condition),
        coded_from=CODED_FROM,
        share=CANDIDATES_SHARE,
    )
    return statement, {
        **values,
        "part": part,
        "code": vector_rows.code_of(vector),
        "most": max(CANDIDATES_AT_LEAST, CANDIDATES_EACH * limit),
        "near": max(INDEXED_AT_LEAST, INDEXED_EACH * limit),
    }


def _best(vector: Vector, rows: Sequence[Row], limit: int) -> list[tuple[int, float]]:
    """Return the sequence numbers and cosines of the nearest rows. If cosines are equal, newer rows come first."""
    scored = [(seq, vector.cosine(Vector(components))) for seq, components in _nearest(vector, rows, limit)]
    return sorted(scored, key=lambda each: (-each[1], -each[0]))[:limit]


def _nearest(vector: Vector, rows: Sequence[Row], limit: int) -> Sequence[Row]:
    """Preselect the nearest rows, and all rows that may be equally near, given the rounding error.

    Without numpy, return all rows.
    """
    try:
        import numpy as np  # noqa: PLC0415 - optional dependency, already loaded by the embedder
    except ImportError:
        return rows
    if len(rows) <= limit:
        return rows
    stored = np.frombuffer(b"".join(components for _, components in rows), np.int8)
    kept = stored.reshape(len(rows), -1).astype(float)
    near = kept @ np.frombuffer(vector.components, np.int8) / np.linalg.norm(kept, axis=1)
    least = np.partition(near, -limit)[-limit] - _MARGIN
    return [rows[place] for place in np.flatnonzero(near >= least).tolist()]

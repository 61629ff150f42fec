"""Vectors of one project's observations, and what is nearest to a vector."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import OtherModelError
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, Match
from lamella.ports.storage.vectors import Coverage, Nearest, NewVector, VectorIndex
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.database.turn import Question, Row, Turn
from lamella_adapters.postgresql.schema.statements import statements
from lamella_adapters.postgresql.search.filter_conditions import conditions
from lamella_adapters.postgresql.tables import observation_rows

SQL = statements(__file__, columns=observation_rows.COLUMNS)

CODED_FROM = 4_000
"""From so many vectors on, candidates are chosen by their sign codes before vectors are compared, as in SQLite."""

CANDIDATES_AT_LEAST, CANDIDATES_EACH, CANDIDATES_SHARE = 400, 20, 0.01
"""Candidates by sign codes: at least, for each wanted hit, and as a share of all.

They hold 98 % of the ten nearest.
"""

_THESE = observation_rows.SELECT + " AND o.seq = ANY(%(seqs)s::bigint[])"


@define(eq=False)
class PostgresVectors(VectorIndex):
    """Vectors of the memories of one project, by `model`."""

    scope: Scope
    model: EmbeddingModel

    def adopt(self) -> None:
        """See `VectorIndex.adopt`."""
        with self.scope.reading() as turn:
            if _adopted(turn.rows(SQL["model"], last=True)) == self.model:
                return
        with self.scope.writing() as turn:
            if _adopted(turn.rows(SQL["model"])) != self.model:
                turn.run(SQL["drop"])
                turn.run(SQL["adopt"], name=self.model.name, dimension=self.model.dimension)

    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """See `VectorIndex.pending`."""
        with self.scope.reading() as turn:
            (found,) = self._asked(turn, (SQL["pending"], {"limit": limit}), last=True)
            return observation_rows.observations(turn, found)

    def put(self, vectors: Sequence[NewVector]) -> None:
        """See `VectorIndex.put`."""
        for vector in filter(None, (each.vector for each in vectors)):
            self.model.require(vector)
        last = {(each.id, each.digest): each for each in vectors}
        with self.scope.writing() as turn:
            self._asked(turn)
            turn.run(
                SQL["put"],
                ids=[each.id for each in last.values()],
                digests=[each.digest for each in last.values()],
                vectors=[each.vector and each.vector.components for each in last.values()],
                codes=[each.vector and _code(each.vector) for each in last.values()],
            )

    def nearest(
        self,
        vector: Vector,
        *,
        limit: int,
        filters: Filters,
        include_purged: bool = False,
        compared: Collection[UUID] = (),
    ) -> Nearest:
        """See `VectorIndex.nearest`."""
        self.model.require(vector)
        condition, values = conditions(filters)
        most = max(CANDIDATES_AT_LEAST, CANDIDATES_EACH * limit)
        values |= {"code": _code(vector), "most": most}
        statement = SQL["nearest"].format(conditions=condition, coded_from=CODED_FROM, share=CANDIDATES_SHARE)
        with self.scope.reading() as turn:
            live, purged, others = self._asked(
                turn,
                (statement, {**values, "away": False}),
                (statement if include_purged else "SELECT 1 WHERE false", {**values, "away": True}),
                (SQL["compared"], {"compared": list(compared)}),
            )
            best = [*_best(vector, live, limit), *_best(vector, purged, limit)][:limit]
            rows = turn.rows(_THESE, seqs=[seq for seq, _ in best], last=True)
        found = {row[2]: row for row in rows}
        hits: list[Hit] = [
            observation_rows.hit(turn.project, found[seq], Match.MEANING, score=score) for seq, score in best
        ]
        similarities: Mapping[UUID, float] = {id: vector.cosine(Vector(components)) for id, components in others}
        return Nearest(hits=tuple(hits), similarities=similarities)

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        with self.scope.reading() as turn:
            ((row,),) = self._asked(turn, (SQL["coverage"], {}), last=True)
        embedded, total = row
        return Coverage(embedded=embedded, total=total)

    def _asked(self, turn: Turn, *questions: Question, last: bool = False) -> list[list[Row]]:
        """Return the answers to questions about vectors of this model.

        Raises:
            OtherModelError: The project has vectors of another one, or none.
        """
        model, *answers = turn.answers((SQL["model"], {}), *questions, last=last)
        adopted = _adopted(model)
        if adopted != self.model:
            raise OtherModelError(kept=None if adopted is None else adopted.name, asked=self.model.name)
        return answers


def _adopted(rows: Sequence[Row]) -> EmbeddingModel | None:
    ((name, dimension),) = rows
    return None if name is None else EmbeddingModel(name=name, dimension=dimension)


def _code(vector: Vector) -> str:
    """Return the signs of a vector as the text of a bit string."""
    return f"{int.from_bytes(vector.code, 'big'):0{vector.dimension}b}"


def _best(vector: Vector, rows: Sequence[Row], limit: int) -> list[tuple[int, float]]:
    """Return the numbers and cosines of the nearest rows, the later saved first among equals."""
    scored = [(seq, vector.cosine(Vector(components))) for seq, components in rows]
    return sorted(scored, key=lambda each: (-each[1], -each[0]))[:limit]

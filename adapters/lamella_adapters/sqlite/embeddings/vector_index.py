"""Vector index of one project's observations, in its file."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import InvalidVectorError, OtherModelError
from lamella.domain.memories.observation import Observation, content_digest
from lamella.domain.memories.query import Filters, Hit, Match
from lamella.ports.storage.vectors import Coverage, Nearest, NewVector, VectorIndex
from lamella_adapters.sqlite.embeddings.nearest import nearest
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import observation_rows

# Columns are our own constants.
_THESE = f"{observation_rows.SELECT} WHERE seq IN (SELECT value FROM json_each(?))"  # noqa: S608 - made of our own constants
_PENDING = """
seq IN (
  SELECT seq FROM unembedded WHERE seq NOT IN (SELECT seq FROM observation WHERE purged_at IS NOT NULL)
  ORDER BY seq DESC LIMIT ?
) ORDER BY seq DESC
"""
_PRESENT = "SELECT id, seq, content FROM observation WHERE id IN (SELECT unhex(value) FROM json_each(?))"
_PUT = """
INSERT INTO vector SELECT seq, purged_at IS NOT NULL, :code, :vector FROM observation WHERE seq = :seq
ON CONFLICT DO UPDATE SET code = excluded.code, vector = excluded.vector
"""
_EMBEDDED = "DELETE FROM unembedded WHERE seq = :seq"
_VECTORS = """
SELECT o.id, v.vector FROM observation AS o JOIN vector AS v USING (seq)
WHERE o.id IN (SELECT unhex(value) FROM json_each(?)) AND v.vector IS NOT NULL
"""
_COVERAGE = """
SELECT live - (SELECT count(*) FROM unembedded)
  + (SELECT count(*) FROM observation JOIN unembedded USING (seq) WHERE purged_at IS NOT NULL), live
FROM statistics
"""


@define(eq=False)
class SqliteVectors(VectorIndex):
    """Vectors of the memories of one project, by `model`."""

    scope: Scope
    model: EmbeddingModel

    def adopt(self) -> None:
        """See `VectorIndex.adopt`."""
        with self.scope.reading() as opened:
            if _adopted(opened.connection) == self.model:
                return
        with self.scope.writing() as opened:
            if _adopted(opened.connection) != self.model:
                _forget(opened.connection)
                opened.connection.execute(
                    "INSERT INTO embedding_model VALUES (?, ?)", (self.model.name, self.model.dimension)
                )

    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """See `VectorIndex.pending`."""
        with self._reading() as opened:
            return observation_rows.observations_where(opened.connection, opened.project, _PENDING, (limit,))

    def put(self, vectors: Sequence[NewVector]) -> None:
        """See `VectorIndex.put`."""
        for vector in filter(None, (each.vector for each in vectors)):
            self.model.require(vector)
        asked = json.dumps([each.id.hex for each in vectors])
        with self.scope.writing() as opened:
            self._require_adopted(opened.connection)
            present = {
                (UUID(bytes=id), content_digest(content)): sequence
                for id, sequence, content in fetch(opened.connection, _PRESENT, (asked,))
            }
            values = [
                {
                    "seq": present[each.id, each.digest],
                    "code": each.vector and each.vector.code,
                    "vector": each.vector and each.vector.components,
                }
                for each in vectors
                if (each.id, each.digest) in present
            ]
            opened.connection.executemany(_PUT, values)
            opened.connection.executemany(_EMBEDDED, values)

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
        with self._reading() as opened:
            found = nearest(opened.connection, vector, limit=limit, filters=filters, purged=False)
            if include_purged and len(found) < limit:
                left = limit - len(found)
                found += nearest(opened.connection, vector, limit=left, filters=filters, purged=True)
            stored = fetch(opened.connection, _VECTORS, (json.dumps([id.hex for id in compared]),))
            return Nearest(
                hits=_hits(opened, found),
                similarities={UUID(bytes=id): vector.cosine(Vector(components)) for id, components in stored},
            )

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        with self._reading() as opened:
            ((embedded, total),) = fetch(opened.connection, _COVERAGE)
        return Coverage(embedded=embedded, total=total)

    @contextmanager
    def _reading(self) -> Iterator[Opened]:
        with self.scope.reading() as opened:
            self._require_adopted(opened.connection)
            try:
                yield opened
            except InvalidVectorError as error:
                raise damaged() from error

    def _require_adopted(self, connection: apsw.Connection) -> None:
        adopted = _adopted(connection)
        if adopted != self.model:
            raise OtherModelError(kept=None if adopted is None else adopted.name, asked=self.model.name)


def _forget(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM embedding_model")
    # First, so that deleting vectors does not clear their codes one by one.
    connection.execute("DELETE FROM code_block")
    connection.execute("DELETE FROM vector")
    connection.execute("INSERT OR IGNORE INTO unembedded SELECT seq FROM observation")


def _adopted(connection: apsw.Connection) -> EmbeddingModel | None:
    for name, dimension in fetch(connection, "SELECT name, dimension FROM embedding_model"):
        return EmbeddingModel(name, dimension)
    return None


def _hits(opened: Opened, found: Sequence[tuple[int, float]]) -> tuple[Hit, ...]:
    asked = json.dumps([sequence for sequence, _ in found])
    there = {row[0]: row for row in fetch(opened.connection, _THESE, (asked,))}
    observations = observation_rows.observations(
        opened.connection, opened.project, [there[each] for each, _ in found]
    )
    scores = [score for _, score in found]
    return observation_rows.hits(opened.connection, observations, Match.MEANING, scores)

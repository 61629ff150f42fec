"""Vector index of one project's observations, in its file."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from attrs import define

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.errors import InvalidVectorError
from lamella.domain.memories.query import Hit, Match, RecallQuery
from lamella.domain.transactions.embedding import require_adopted
from lamella.ports.storage.vectors import Coverage, Nearest, VectorIndex
from lamella_adapters.sqlite.embeddings.nearest import nearest
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.errors import failure
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.vector_rows import adopted, stored
from lamella_adapters.sqlite.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__, select=observation_rows.SELECT)

# Columns are our own constants.


@define(eq=False)
class SqliteVectors(InTransactions, VectorIndex):
    """Vectors of one project's memories, computed by `model`."""

    model: EmbeddingModel

    def nearest(self, vector: Vector, query: RecallQuery, *, compared: Collection[UUID] = ()) -> Nearest:
        """See `VectorIndex.nearest`."""
        self.model.require(vector)
        with self._reading() as opened:
            near = partial(nearest, opened.connection, vector, filters=query.filters)
            found = near(limit=query.limit, purged=False)
            if query.include_purged and len(found) < query.limit:
                found += near(limit=query.limit - len(found), purged=True)
            others = stored(opened.connection, compared).items()
            return Nearest(
                hits=_hits(opened, found), similarities={id: vector.cosine(each) for id, each in others}
            )

    def coverage(self) -> Coverage:
        """See `VectorIndex.coverage`."""
        with self._reading() as opened:
            ((embedded, total),) = fetch(opened.connection, SQL["coverage"])
        return Coverage(embedded=embedded, total=total)

    @contextmanager
    def _reading(self) -> Iterator[Opened]:
        with self.scope.reading() as opened:
            require_adopted(self.model, adopted(opened.connection))
            try:
                yield opened
            except InvalidVectorError as error:
                raise failure("damaged") from error


def _hits(opened: Opened, found: Sequence[tuple[int, float]]) -> tuple[Hit, ...]:
    asked = json.dumps([sequence for sequence, _ in found])
    there = {row[0]: row for row in fetch(opened.connection, SQL["these"], (asked,))}
    observations = observation_rows.observations(
        opened.connection, opened.project, [there[each] for each, _ in found]
    )
    scores = [score for _, score in found]
    return observation_rows.hits(opened.connection, observations, Match.MEANING, scores)

"""Vector index of one project's observations, in its file."""

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.embeddings.errors import InvalidVectorError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.query import Filters, Hit, Match, RecallQuery
from lamella.domain.transactions.embedding import require_adopted
from lamella.ports.storage.vectors import Coverage, Nearest, VectorIndex
from lamella_adapters.sqlite.embeddings.distance_function import TOLERANCE, distance
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.search.filter_conditions import conditions
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.vector_rows import adopted, stored
from lamella_adapters.sqlite.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__, select=observation_rows.SELECT)

CODED_FROM = 4_000
"""Minimum number of vectors for preselecting candidates by sign codes."""

CANDIDATES_AT_LEAST, CANDIDATES_EACH, CANDIDATES_SHARE = 400, 20, 0.01
"""Numbers of candidates: the minimum, for each wanted hit, and as a share of all vectors. The highest counts.

Measured recall: 98 % of the ten nearest neighbours.
"""

_MARGIN = 4
"""Number of hits to read beyond the limit, because imprecise distances may misorder the last hits."""


def nearest(
    connection: apsw.Connection, vector: Vector, *, limit: int, filters: Filters, purged: bool
) -> list[tuple[int, float]]:
    """Return the sequence numbers and cosines of the nearest rows, best first.

    Of rows with equal cosines, the newest comes first. If `purged` is true, only purged rows are returned;
    otherwise only live rows.

    Raises:
        StorageDamagedError: Sign codes have the wrong length.
    """
    among, values = _among(connection, vector, limit=limit, filters=filters, purged=purged)
    statement = SQL["nearest"].format(far=distance(connection), among=f" AND seq IN ({among})" if among else "")
    values |= {"vector": vector.components, "purged": purged}
    read = limit + _MARGIN
    while True:
        found = fetch(connection, statement, {**values, "limit": read})
        if len(found) < read or found[-1][2] > found[limit - 1][2] + TOLERANCE:
            break
        read *= 2
    scored = [(sequence, vector.cosine(Vector(components))) for sequence, components, _ in found]
    return sorted(scored, key=lambda each: (-each[1], -each[0]))[:limit]


def _among(
    connection: apsw.Connection, vector: Vector, *, limit: int, filters: Filters, purged: bool
) -> tuple[str, dict[str, object]]:
    """Return SQL for the sequence numbers of the candidates, and the values of its placeholders.

    The SQL is empty if all rows are candidates.
    """
    passing, values = conditions(filters)
    every = SQL["passing"].format(columns="o.seq", conditions=passing) if passing else ""
    live: int = connection.execute("SELECT live FROM statistics").get
    if live < CODED_FROM:
        return every, values
    try:
        from lamella_adapters.sqlite.embeddings.sign_codes import chosen  # noqa: PLC0415 - imports numpy, which the embedder has already loaded
    except ImportError:
        return every, values
    count, among = live, None
    if passing:
        # Fetching all numbers as one JSON text is three times as fast as fetching a row for each.
        counted = SQL["passing"].format(columns="count(*), json_group_array(o.seq)", conditions=passing)
        ((count, among),) = fetch(connection, counted, values)
    if among is None or count >= CODED_FROM:
        most = max(CANDIDATES_AT_LEAST, CANDIDATES_EACH * limit, int(CANDIDATES_SHARE * live))
        among = json.dumps(chosen(connection, vector.code, most=most, purged=purged, among=among))
    return "SELECT value FROM json_each(:among)", {"among": among}


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

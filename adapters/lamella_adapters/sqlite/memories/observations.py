"""Observations of one project, in its file."""

from collections.abc import Mapping, Sequence

from attrs import define

from lamella.domain.exchange.arrival import Arrival, dropped
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import Hit, Match
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.code_change_rows import lines_of
from lamella_adapters.sqlite.tables.erased_messages import all_marks
from lamella_adapters.sqlite.tables.observation_rows import observations_where
from lamella_adapters.sqlite.transaction import InTransactions

_KNOWN = "SELECT id, purged_at IS NULL FROM observation WHERE id IN (SELECT unhex(value) FROM json_each(?))"
_REQUESTS = "SELECT seq, request FROM observation WHERE seq > ? ORDER BY seq LIMIT ?"
_THESE = "id IN (SELECT unhex(value) FROM json_each(?))"
_BETWEEN = observation_rows.SELECT + " WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?"


@define(eq=False)
class SqliteObservations(InTransactions, ObservationStorage):
    """The memories of one project."""

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """See `ObservationStorage.starting_with`."""
        ranges = [tuple(bytes.fromhex(prefix.ljust(32, digit)) for digit in "0f") for prefix in prefixes]
        with self.scope.reading() as opened:
            rows = [fetch(opened.connection, _BETWEEN, (*bounds, limit)) for bounds in ranges]
            every = {row[0]: row for found in rows for row in found}
            observations = observation_rows.observations(opened.connection, opened.project, every.values())
            hits = {
                each.observation.sequence: each
                for each in observation_rows.hits(opened.connection, observations, Match.ID)
            }
        return {prefix: tuple(hits[row[0]] for row in found) for prefix, found in zip(prefixes, rows, strict=True)}

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.scope.reading() as opened:
            condition = "seq > ? ORDER BY seq LIMIT ?"
            found = observations_where(opened.connection, opened.project, condition, (after, limit))
            requests = dict(fetch(opened.connection, _REQUESTS, (after, limit)))
            lines = lines_of(opened.connection, [each.sequence for each in found if each.kind is Kind.CHANGE])
        return tuple(
            Arrival(
                observation=each,
                request=requests[each.sequence],
                lines=dropped(each, lines.get(each.sequence, {})),
            )
            for each in found
        )

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.scope.reading() as opened:
            return all_marks(opened.connection)

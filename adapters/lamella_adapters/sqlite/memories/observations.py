"""Observations of one project, in its file."""

# ruff: noqa: PLC0415 - few programs export

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from lamella.domain.memories.kind import Kind
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import observations_where
from lamella_adapters.sqlite.transaction import InTransactions

if TYPE_CHECKING:
    from lamella.domain.exchange.arrival import Arrival

_REQUESTS = "SELECT seq, request FROM observation WHERE seq > ? ORDER BY seq LIMIT ?"


@define(eq=False, repr=False, slots=False)
class SqliteObservations(InTransactions, ObservationStorage):
    """Observations of one project."""

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        from lamella.domain.exchange.arrival import Arrival, dropped
        from lamella_adapters.sqlite.tables.code_change_rows import lines_of

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
        from lamella_adapters.sqlite.tables.erased_rows import all_marks

        with self.scope.reading() as opened:
            return all_marks(opened.connection)

"""Observations of one project."""

from attrs import define

from lamella.domain.exchange.arrival import Arrival
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.postgresql.memories.arrivals import arrivals
from lamella_adapters.postgresql.tables import erased_rows
from lamella_adapters.postgresql.transaction import InTransactions

_LATER = "o.seq > %(after)s ORDER BY o.seq LIMIT %(limit)s"


@define(eq=False)
class PostgresObservations(InTransactions, ObservationStorage):
    """Observations of one project."""

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.scope.reading() as tx:
            return tuple(each for each, _ in arrivals(tx, _LATER, {"after": after, "limit": limit}))

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.scope.reading() as tx:
            return frozenset(mark for (mark,) in tx.rows(erased_rows.SQL["all"], last=True))

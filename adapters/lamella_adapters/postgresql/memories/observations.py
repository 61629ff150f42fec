"""Observations of one project."""

from collections.abc import Mapping

from attrs import define

from lamella.domain.exchange.arrival import Arrival, dropped
from lamella.domain.ledger.fingerprints import LineFingerprints, unpacked
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.tables import erased_rows, observation_rows
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__, columns=observation_rows.COLUMNS)


def arrivals(tx: Transaction, condition: str, asked: Mapping[str, object]) -> list[tuple[Arrival, int]]:
    """Return observations to export, each with its revision. Commit the transaction.

    Args:
        tx: Transaction on the project.
        condition: SQL condition on the row `o`, with `ORDER BY` and `LIMIT`. Never user input.
        asked: Values of the condition's placeholders.
    """
    rows, lines = tx.answers(
        (SQL["rows"].format(condition=condition), asked),
        (SQL["lines"].format(condition=condition), asked),
        last=True,
    )
    kept: dict[int, dict[int, LineFingerprints]] = {}
    for seq, place, came, went in lines:
        kept.setdefault(seq, {})[place] = LineFingerprints(unpacked(came), unpacked(went))
    found = observation_rows.observations(tx, rows)
    return [
        (Arrival(observation=each, request=request, lines=dropped(each, kept.get(each.sequence, {}))), revision)
        for each, (*_, request, revision) in zip(found, rows, strict=True)
    ]


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

"""Rows of observations from elsewhere."""

from collections.abc import Mapping

import apsw
from attrs import frozen

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Kind, Observation
from lamella.ports.storage.observations import TakenOver
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows, remember_request
from lamella_adapters.sqlite.tables.context_column import context_before, refresh_followers

_INSERT_NEW = f"{observation_rows.INSERT} ON CONFLICT (id) DO NOTHING"


@frozen
class ArrivalRow:
    """An observation from elsewhere, with everything that is derived from it, which is slow to compute."""

    observation: Observation
    columns: Mapping[str, object]
    changes: ChangeRows
    capture: str | None

    @classmethod
    def of(cls, arrival: Arrival) -> "ArrivalRow":
        """Return the row of an arrival."""
        observation, request = arrival.observation, arrival.request
        return cls(
            observation,
            observation_rows.columns(observation, fingerprint=observation.fingerprint, request=request),
            ChangeRows.of(observation, arrival.fingerprints),
            request if observation.kind is Kind.CHANGE else None,
        )

    def write(self, connection: apsw.Connection) -> TakenOver:
        """Store the row under the next sequence number, unless one with its id is there."""
        said, moment = self.observation, observation_rows.to_microseconds(self.observation.occurred_at)
        # A purged row has no context.
        context = "" if said.purged else context_before(connection, said.content, said.session, moment)
        connection.execute(_INSERT_NEW, {**self.columns, "context": context})
        if not connection.changes():
            return TakenOver.KNOWN
        sequence = connection.last_insert_rowid()
        self.changes.write(connection, sequence)
        if not said.purged:
            refresh_followers(connection, said.session, moment, sequence)
        if self.capture is not None:
            remember_request(connection, self.capture, said.origin)
        return TakenOver.NEW

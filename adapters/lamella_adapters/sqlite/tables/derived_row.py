"""Rows of new observations, with their index columns."""

from collections.abc import Mapping

import apsw
from attrs import frozen

from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.plan import Insert
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows
from lamella_adapters.sqlite.tables.context_column import context_before


@frozen
class DerivedRow:
    """Columns of an observation that are slow to derive. They depend on the observation alone."""

    columns: Mapping[str, object]
    changes: ChangeRows

    @classmethod
    def of(cls, said: Observation) -> "DerivedRow":
        """Derive the row of an observation."""
        return cls(observation_rows.columns(said), ChangeRows.of(said))

    def write(self, connection: apsw.Connection, insert: Insert) -> None:
        """Store the row under the sequence number of its observation."""
        said = insert.observation
        moment = observation_rows.to_microseconds(said.occurred_at)
        place = (said.content, said.session, moment, said.sequence)
        own = {
            "seq": said.sequence,
            "fingerprint": insert.fingerprint,
            "request": insert.request,
            # A purged row has no context.
            "context": "" if said.purged else context_before(connection, *place),
        }
        connection.execute(observation_rows.INSERT, {**self.columns, **own})
        changes = ChangeRows.of(said, insert.lines) if insert.lines else self.changes
        changes.write(connection, said.sequence)

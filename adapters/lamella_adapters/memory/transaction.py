"""Transaction on the shelf of one project."""

from attrs import define, evolve

from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella.domain.transactions.plan import AddEntry, Insert, Plan, SetStatus, Write
from lamella.ports.storage.transaction import Transaction
from lamella_adapters.memory.shelf import Row, Shelf


@define(eq=False)
class InMemoryTransaction(Transaction):
    """Plan that is carried out when its block ends.

    Attributes:
        project: Id of the project that has the rows.
        shelf: Its rows.
        plan: Writes that were applied.
    """

    project: str
    shelf: Shelf
    plan: Plan = ()

    def look(self, look: Look) -> Facts:
        """See `Transaction.look`."""
        rows, entries = self.shelf.rows, self.shelf.entries()
        return Facts(
            project=self.project,
            sequence=self.shelf.last_sequence,
            latest=max((row.observation.occurred_at for row in rows.values()), default=None),
            logged=entries[0].by.at if entries else None,
            statuses={
                id: Status(rows[id].observation.purged, rows[id].observation.replaced_by)
                for id in look.ids
                if id in rows
            },
            same=tuple(
                Same(row.observation, row.request) for row in rows.values() if row.fingerprint == look.fingerprint
            ),
        )

    def apply(self, plan: Plan) -> None:
        """See `Transaction.apply`."""
        self.plan += plan

    def commit(self) -> None:
        """Carry out the plan."""
        for write in self.plan:
            self._write(write)

    def _write(self, write: Write) -> None:
        match write:
            case Insert():
                self.shelf.last_sequence = write.observation.sequence
                self.shelf.rows[write.observation.id] = Row(write.observation, write.fingerprint, write.request)
            case SetStatus():
                for row in map(self.shelf.rows.__getitem__, write.ids):
                    row.observation = evolve(
                        row.observation,
                        purged_at=write.at if write.purged else None,
                        updated_at=write.at,
                        replaced_by=write.replaced_by,
                    )
            case AddEntry():
                self.shelf.append(self.project, write.entry)

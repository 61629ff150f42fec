"""Transaction on the file of one project: facts for a decision, and the writes of its plan."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella.domain.transactions.plan import AddEntry, Insert, Plan, SetStatus, Write
from lamella.ports.storage.transaction import Transaction, Transactional
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import audit_rows, observation_rows
from lamella_adapters.sqlite.tables.code_change_rows import ChangeRows
from lamella_adapters.sqlite.tables.context_column import context_before, refresh_followers
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, to_microseconds

_PROJECT = """
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'observation'), 0),
  (SELECT max(moment) FROM observation), (SELECT max(at) FROM audit)
"""
_STATUSES = """
SELECT id, purged_at IS NOT NULL, replaced_by FROM observation
WHERE id IN (SELECT unhex(value) FROM json_each(?))
"""
_SAME = "fingerprint = ? ORDER BY seq"
_REQUESTS = "SELECT request FROM observation WHERE fingerprint = ? ORDER BY seq"
_PLACE = "SELECT seq, session, moment, content FROM observation WHERE id = ?"
_SET_STATUS = """
UPDATE observation SET purged_at = :purged_at, updated_at = :at, context = :context, replaced_by = :replaced_by
WHERE seq = :seq
"""


@define(eq=False)
class SqliteTransaction(Transaction):
    """Write transaction on the file that has the rows of a project."""

    opened: Opened

    @property
    def connection(self) -> apsw.Connection:
        """Connection of the transaction."""
        return self.opened.connection

    def look(self, look: Look) -> Facts:
        """See `Transaction.look`."""
        ((sequence, latest, logged),) = fetch(self.connection, _PROJECT)
        return Facts(
            project=self.opened.project,
            sequence=sequence,
            latest=None if latest is None else from_microseconds(latest),
            logged=None if logged is None else from_microseconds(logged),
            statuses=self._statuses(look.ids) if look.ids else {},
            same=() if look.fingerprint is None else self._same(look.fingerprint),
        )

    def apply(self, plan: Plan) -> None:
        """See `Transaction.apply`."""
        for write in plan:
            self._apply(write)

    def _apply(self, write: Write) -> None:
        match write:
            case Insert():
                self._insert(write)
            case SetStatus():
                for id in write.ids:
                    self._set_status(id, write)
            case AddEntry():
                audit_rows.add_entry(self.connection, write.entry, self.opened.project)

    def _statuses(self, ids: tuple[UUID, ...]) -> Mapping[UUID, Status]:
        rows = fetch(self.connection, _STATUSES, (json.dumps([id.hex for id in ids]),))
        return {
            UUID(bytes=id): Status(bool(purged), replaced_by and UUID(bytes=replaced_by))
            for id, purged, replaced_by in rows
        }

    def _same(self, fingerprint: bytes) -> tuple[Same, ...]:
        found = observation_rows.observations_where(self.connection, self.opened.project, _SAME, (fingerprint,))
        if not found:
            return ()
        requests = fetch(self.connection, _REQUESTS, (fingerprint,))
        return tuple(Same(each, request) for each, (request,) in zip(found, requests, strict=True))

    def _insert(self, write: Insert) -> None:
        said, moment = write.observation, to_microseconds(write.observation.occurred_at)
        columns = observation_rows.columns(
            said,
            fingerprint=write.fingerprint,
            request=write.request,
            context=context_before(self.connection, said.content, said.session, moment),
        )
        self.connection.execute(observation_rows.INSERT, {**columns, "seq": said.sequence})
        ChangeRows.of(said).write(self.connection, said.sequence)
        refresh_followers(self.connection, said.session, moment, said.sequence)

    def _set_status(self, id: UUID, write: SetStatus) -> None:
        """Change the status of a row and its context in one update, then the contexts of its followers."""
        for sequence, session, moment, content in fetch(self.connection, _PLACE, (id.bytes,)):
            # A purged row has no context.
            context = "" if write.purged else context_before(self.connection, content, session, moment, sequence)
            at = to_microseconds(write.at)
            self.connection.execute(
                _SET_STATUS,
                {
                    "purged_at": at if write.purged else None,
                    "at": at,
                    "replaced_by": write.replaced_by and write.replaced_by.bytes,
                    "context": context,
                    "seq": sequence,
                },
            )
            refresh_followers(self.connection, session, moment, sequence)


@define(eq=False)
class InTransactions(Transactional):
    """Part of a project that changes in transactions on its file."""

    scope: Scope

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """See `Transactional.writing`."""
        with self.scope.writing() as opened:
            yield SqliteTransaction(opened)

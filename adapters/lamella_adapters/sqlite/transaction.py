"""Transaction on the file of one project. It reads facts for a decision, and executes the writes of its plan.

`tables.other_transactions` has the facts and writes that saves don't need. It is imported on first use.
"""

# ruff: noqa: PLC0415 - see above

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import apsw
from attrs import define, field

from lamella.domain.memories.observation import Observation
from lamella.domain.transactions import plan
from lamella.domain.transactions.look import SIMILAR, Facts, Look, Same, Status
from lamella.ports.storage.transaction import T, Transactional
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Scope
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.context_column import context_before, refresh_followers
from lamella_adapters.sqlite.tables.observation_rows import DerivedRow, from_microseconds, to_microseconds
from lamella_adapters.statements import listed, statements

if TYPE_CHECKING:
    from lamella.domain.memories.query import Hit

SQL = statements(__file__, columns=observation_rows.COLUMNS)


@define(eq=False, repr=False, slots=False)
class SqliteTransaction:
    """Transaction on the file with the rows of a project.

    Attributes:
        connection: Connection of the transaction.
        project: Id of the file's own project.
        derived: Rows of observations to insert, keyed by id. They were derived before the transaction began.
        hidden_forms: Hidden forms (see `domain.search.indexing`) of messages to add, keyed by message key. They
            were derived before the transaction began.
        logged: Time of the latest audit entry when the facts were read.
        latest: Time of the latest observation, in microseconds. A new observation with an earlier time isn't the
            last one.
        cleared: Ids or keys of rows that were erased from files merged into this one. They count as erased here,
            too.
    """

    connection: apsw.Connection
    project: str
    derived: Mapping[UUID, DerivedRow] = field(factory=dict)
    hidden_forms: Mapping[str, str] = field(factory=dict)
    logged: datetime | None = None
    latest: int = 0
    cleared: Collection[Any] = ()

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        connection = self.connection
        sequence, latest, logged = connection.execute(SQL["project"]).get
        self.logged = None if logged is None else from_microseconds(logged)
        self.latest = latest or 0
        facts = Facts(
            project=self.project,
            sequence=sequence,
            latest=None if latest is None else from_microseconds(latest),
            logged=self.logged,
            statuses=self._statuses(look.ids) if look.ids else {},
            starting=self._starting(look) if look.prefixes else {},
            same=() if look.fingerprint is None else self._same(look.fingerprint),
            observations=self._observations(look.observations) if look.observations else {},
            changed={path: each for path in look.paths for each in self._where(SQL["changed"], path)},
            unaged=self._unaged(*look.unaged) if look.unaged else (),
            off_since=self._off_since() if look.off else None,
            unembedded=self._where(SQL["unembedded"], look.unembedded) if look.unembedded else (),
            similar=self._similar(look.similar) if look.similar else {},
        )
        others = look.marks, look.requests, look.warned, look.model, look.vectors, look.session_names, look.keys
        if any((*others, look.conversations, look.sources, look.messages_of, look.numbers, look.summaries)):
            from lamella_adapters.sqlite.tables.other_transactions import other_facts

            return other_facts(connection, look, facts, self.cleared)
        return facts

    def apply(self, writes: plan.Plan) -> None:
        """Execute the writes of a plan, then reindex changed observations."""
        for write in writes:
            match write:
                case plan.Insert():
                    self._insert(write)
                case plan.SetStatus():
                    for id in write.ids:
                        self._set_status(id, write)
                case _:
                    from lamella_adapters.sqlite.tables.other_transactions import other_write

                    other_write(self.connection, write, self.project, self.hidden_forms)
        if not all(isinstance(each, plan.Insert | plan.SetStatus) for each in writes):
            from lamella_adapters.sqlite.tables.other_transactions import finish

            finish(self.connection, writes, self.logged)

    def _where(self, condition: str, *values: object) -> tuple[Observation, ...]:
        return observation_rows.observations_where(self.connection, self.project, condition, values)

    def _observations(self, ids: Sequence[UUID]) -> Mapping[UUID, Observation]:
        return {each.id: each for each in self._where(SQL["of_ids"], listed(id.hex for id in ids))}

    def _statuses(self, ids: Sequence[UUID]) -> Mapping[UUID, Status]:
        rows = fetch(self.connection, SQL["statuses"], (listed(id.hex for id in ids),))
        return {
            **{id: Status(purged=False, origin=self.project) for id in ids if id in self.cleared},
            **{
                UUID(bytes=id): Status(bool(purged), origin, replaced_by and UUID(bytes=replaced_by))
                for id, purged, origin, replaced_by in rows
            },
        }

    def _starting(self, look: Look) -> "Mapping[str, tuple[Hit, ...]]":
        from lamella.domain.memories.query import Match

        ranges = [tuple(bytes.fromhex(prefix.ljust(32, digit)) for digit in "0f") for prefix in look.prefixes]
        rows = [fetch(self.connection, SQL["between"], (*bounds, look.each)) for bounds in ranges]
        every = {row[0]: row for found in rows for row in found}
        observations = observation_rows.observations(self.connection, self.project, every.values())
        hits = {
            each.observation.sequence: each
            for each in observation_rows.hits(self.connection, observations, Match.ID)
        }
        return {
            prefix: tuple(hits[row[0]] for row in found) for prefix, found in zip(look.prefixes, rows, strict=True)
        }

    def _unaged(self, before: datetime, limit: int) -> tuple[Observation, ...]:
        return self._where(SQL["unaged"], to_microseconds(before), limit)

    def _similar(self, words: Sequence[str]) -> Mapping[UUID, str]:
        # Words of letters and digits need no escaping.
        first, *others = (f'"{word}"' for word in words)
        match = f"- {{sub context}} : ({first} AND ({' OR '.join(others)}))"
        return {UUID(bytes=id): text for id, text in fetch(self.connection, SQL["similar"], (match, SIMILAR))}

    def _off_since(self) -> datetime | None:
        return next((from_microseconds(since) for (since,) in fetch(self.connection, SQL["off_since"])), None)

    def _same(self, fingerprint: bytes) -> tuple[Same, ...]:
        rows = fetch(self.connection, SQL["same"], (fingerprint,))
        found = observation_rows.observations(self.connection, self.project, [row[:-1] for row in rows])
        return tuple(Same(each, row[-1]) for each, row in zip(found, rows, strict=True))

    def _insert(self, write: plan.Insert) -> None:
        said = write.observation
        row = self.derived.get(said.id) or DerivedRow.of(said)
        row.write(self.connection, write)
        moment = to_microseconds(said.occurred_at)
        if moment < self.latest and not said.purged:
            refresh_followers(self.connection, said.session, moment, said.sequence)
        self.latest = max(self.latest, moment)

    def _set_status(self, id: UUID, write: plan.SetStatus) -> None:
        """Change the status and the context of a row in one update. Then change the context of later rows."""
        for sequence, session, moment, content in fetch(self.connection, SQL["place"], (id.bytes,)):
            # A purged row has no context.
            context = "" if write.purged else context_before(self.connection, content, session, moment, sequence)
            at = to_microseconds(write.at)
            self.connection.execute(
                SQL["set_status"],
                {
                    "purged_at": at if write.purged else None,
                    "at": at,
                    "replaced_by": write.replaced_by and write.replaced_by.bytes,
                    "context": context,
                    "seq": sequence,
                },
            )
            refresh_followers(self.connection, session, moment, sequence)


@define(eq=False, repr=False, slots=False)
class InTransactions(Transactional):
    """Base of the ports of a project that use `SqliteTransaction`."""

    scope: Scope

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        with self.scope.reading() as opened:
            return SqliteTransaction(opened.connection, opened.project).look(look)

    def transact(self, look: Look, decide: Callable[[Facts], tuple[plan.Plan, T]]) -> T:
        """See `Transactional.transact`."""
        derived = {each.id: DerivedRow.of(each) for each in look.incoming}
        hidden_forms = {}
        if look.conversations:
            from lamella_adapters.sqlite.tables.conversations.message_rows import hidden_forms_of

            hidden_forms = {draft.key: hidden_forms_of(draft) for draft in look.conversations.drafts}
        opening = self.scope.writing()
        if look.erasing:
            from lamella_adapters.sqlite.erasure import erasing

            opening = erasing(self.scope, look)
        with opening as opened:
            transaction = SqliteTransaction(
                opened.connection, opened.project, derived, hidden_forms, cleared=opened.cleared
            )
            writes, outcome = decide(transaction.look(look))
            transaction.apply(writes)
        return outcome

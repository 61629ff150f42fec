"""Conversations of one project."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.conversations.message import MessageDraft, Role, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.text.printing import stored_key
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.postgresql.conversations.search import find_messages
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.tables import message_rows as rows
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(__file__, columns=rows.COLUMNS, named=rows.NAMED)

_COUNT = "count(*) FILTER (WHERE at >= {at})"


@define(eq=False)
class PostgresConversations(InTransactions, Conversations):
    """Messages and sessions of one project."""

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        asked = None if id is None else stored_key(id)
        with self.scope.reading() as tx:
            return tuple(map(rows.session, tx.rows(SQL["sessions"], session=asked, last=True)))

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as tx:
            found = tx.rows(SQL["page"], after=after, limit=limit, last=True)
        return {
            number: MessageDraft(
                key=key, session=session, role=Role(role), text=text, at=from_microseconds(at), client=client
            )
            for number, session, role, text, at, client, key in found
        }

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        if not since:
            return ()
        counts = ", ".join(_COUNT.format(at=to_microseconds(time)) for time in since)
        with self.scope.reading() as tx:
            (row,) = tx.rows(SQL["counts"].format(counts=counts), last=True)
        return row

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        return find_messages(self.scope, query)

"""Conversations of one project, in its file."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.conversations.message import MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.sqlite.conversations.search import find_messages
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.sqlite.transaction import InTransactions

_COUNT = "SELECT count(*) FROM message WHERE at >= ?"


@define(eq=False)
class SqliteConversations(InTransactions, Conversations):
    """Messages and sessions of one project."""

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        with self.scope.reading() as opened:
            return message_rows.sessions(opened.connection, id)

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as opened:
            return message_rows.drafts(opened.connection, after, limit)

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        with self.scope.reading() as opened:
            return tuple(opened.connection.execute(_COUNT, (to_microseconds(time),)).get for time in since)

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        with self.scope.reading() as opened:
            return find_messages(opened, query)

"""Conversations of one project, in its file."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.conversations.message import Message, MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella_adapters.sqlite.conversations.search import find_messages
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.sqlite.transaction import InTransactions

_KEPT = "SELECT fingerprint, first, last, sentences, files FROM summary WHERE session = ? AND level = ?"
_KEEP = "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?, ?)"

_COUNT = "SELECT count(*) FROM message WHERE at >= ?"


@define(eq=False)
class SqliteConversations(InTransactions, Conversations, SummaryCache):
    """Messages, sessions and summaries of one project."""

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """See `Conversations.messages`."""
        with self.scope.reading() as opened:
            return message_rows.messages(opened.connection, numbers)

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

    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """See `SummaryCache.kept`."""
        with self.scope.reading() as opened:
            return {
                fingerprint: Summary(
                    first=first, last=last, sentences=tuple(json.loads(sentences)), files=tuple(json.loads(files))
                )
                for fingerprint, first, last, sentences, files in fetch(
                    opened.connection, _KEPT, (stored_key(session), level)
                )
            }

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """See `SummaryCache.keep`."""
        session = stored_key(session)
        rows = [
            (session, level, each.first, each.last, key, json.dumps(each.sentences), json.dumps(each.files))
            for key, each in summaries.items()
        ]
        with self.scope.writing() as opened:
            if fetch(opened.connection, message_rows.ANY_OF_SESSION, (session,)):
                opened.connection.executemany(_KEEP, rows)

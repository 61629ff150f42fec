"""Conversations of one project."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from attrs import define
from psycopg.types.json import Jsonb

from lamella.domain.conversations.message import Message, MessageDraft, Role, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella_adapters.postgresql.conversations.search import find_messages
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.schema.statements import statements
from lamella_adapters.postgresql.tables import message_rows as rows
from lamella_adapters.postgresql.transaction import InTransactions

SQL = statements(__file__, columns=rows.COLUMNS, named=rows.NAMED)

_COUNT = "count(*) FILTER (WHERE at >= {at})"


@define(eq=False)
class PostgresConversations(InTransactions, Conversations, SummaryCache):
    """Messages, sessions and summaries of one project."""

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """See `Conversations.messages`."""
        with self.scope.reading() as turn:
            return tuple(map(rows.message, turn.rows(SQL["messages"], numbers=list(map(str, numbers)), last=True)))

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        asked = None if id is None else stored_key(id)
        with self.scope.reading() as turn:
            return tuple(map(rows.session, turn.rows(SQL["sessions"], session=asked, last=True)))

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as turn:
            found = turn.rows(SQL["page"], after=after, limit=limit, last=True)
        return {
            number: MessageDraft(key=key, session=session, role=Role(role), text=text, at=from_microseconds(at))
            for number, session, role, text, at, key in found
        }

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        if not since:
            return ()
        counts = ", ".join(_COUNT.format(at=to_microseconds(time)) for time in since)
        with self.scope.reading() as turn:
            (row,) = turn.rows(SQL["counts"].format(counts=counts), last=True)
        return row

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        return find_messages(self.scope, query)

    def kept(self, session: str, level: int) -> Mapping[str, Summary]:
        """See `SummaryCache.kept`."""
        with self.scope.reading() as turn:
            found = turn.rows(SQL["kept"], session=stored_key(session), level=level, last=True)
        return {
            fingerprint: Summary(first=first, last=last, sentences=tuple(sentences), files=tuple(files))
            for fingerprint, first, last, sentences, files in found
        }

    def keep(self, session: str, level: int, summaries: Mapping[str, Summary]) -> None:
        """See `SummaryCache.keep`."""
        with self.scope.writing() as turn:
            for fingerprint, each in summaries.items():
                turn.run(
                    SQL["keep"],
                    session=stored_key(session),
                    level=level,
                    first=each.first,
                    last=each.last,
                    fingerprint=fingerprint,
                    sentences=Jsonb(each.sentences),
                    files=Jsonb(each.files),
                )

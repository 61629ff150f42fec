"""Conversations of one project, in its file."""

import json
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from attrs import define

from lamella.domain.conversations.message import Batch, Message, MessageDraft, Session
from lamella.domain.conversations.query import MessageHit, MessageQuery
from lamella.domain.conversations.summary import Summary
from lamella.domain.search import indexing
from lamella.domain.text.keys import stored_key
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella_adapters.sqlite.conversations.search import find_messages
from lamella_adapters.sqlite.erasure import erase_session
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.tables import message_rows
from lamella_adapters.sqlite.tables.erased_messages import is_erased, known_keys
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.sqlite.tables.session_titles import add_titles

_KEPT = "SELECT fingerprint, first, last, sentences, files FROM summary WHERE session = ? AND level = ?"
_KEEP = "INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?, ?)"
_PUT_POSITION = "INSERT OR REPLACE INTO transcript_position VALUES (?, ?, ?)"
_PUT_NAME = "INSERT OR REPLACE INTO session_name VALUES (?, ?, 0)"

_COUNT = "SELECT count(*) FROM message WHERE at >= ?"


@define(eq=False)
class SqliteConversations(Conversations, SummaryCache):
    """Messages, sessions and summaries of one project."""

    scope: Scope

    def add(self, batch: Batch) -> int:
        """See `Conversations.add`.

        Texts are split into index terms before the write lock is taken, because that is slow.
        """
        known = self.known([draft.key for draft in batch.drafts])
        new = {draft.key: draft for draft in reversed(batch.drafts) if draft.key not in known}
        drafts = [draft for draft in batch.drafts if new.get(draft.key) is draft]
        subs = [indexing.sub("", draft.text) if draft.role.searched else "" for draft in drafts]
        with self.scope.writing() as opened:
            connection = opened.connection
            known = known_keys(connection, [draft.key for draft in drafts])
            rows = _rows(
                opened, [(each, sub) for each, sub in zip(drafts, subs, strict=True) if each.key not in known]
            )
            connection.executemany(message_rows.INSERT, rows)
            # The name of an erased session may quote what was erased.
            names = [each for each in batch.names.items() if not is_erased(connection, each[0])]
            connection.executemany(_PUT_NAME, names)
            add_titles(connection, batch, opened.project)
            connection.execute(_PUT_POSITION, (batch.source, batch.position, opened.project))
        return len(rows)

    def known(self, keys: Collection[str]) -> frozenset[str]:
        """See `Conversations.known`."""
        with self.scope.reading() as opened:
            known = known_keys(opened.connection, {stored_key(key) for key in keys})
        return frozenset(key for key in keys if stored_key(key) in known)

    def position(self, source: str) -> str:
        """See `Conversations.position`."""
        with self.scope.reading() as opened:
            asked = "SELECT position FROM transcript_position WHERE source = ?"
            position: str = opened.connection.execute(asked, (stored_key(source),)).get or ""
            return position

    def messages(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        """See `Conversations.messages`."""
        with self.scope.reading() as opened:
            return message_rows.messages(opened.connection, numbers)

    def numbers(self, session: str) -> tuple[int, ...]:
        """See `Conversations.numbers`."""
        with self.scope.reading() as opened:
            asked = "SELECT number FROM message WHERE session = ? ORDER BY number"
            return tuple(number for (number,) in fetch(opened.connection, asked, (stored_key(session),)))

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        with self.scope.reading() as opened:
            return message_rows.sessions(opened.connection, id)

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as opened:
            return message_rows.drafts(opened.connection, after, limit)

    def names(self) -> Mapping[str, str]:
        """See `Conversations.names`."""
        with self.scope.reading() as opened:
            return dict(fetch(opened.connection, "SELECT session, name FROM session_name ORDER BY session"))

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        with self.scope.reading() as opened:
            return tuple(opened.connection.execute(_COUNT, (to_microseconds(time),)).get for time in since)

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        with self.scope.reading() as opened:
            return find_messages(opened, query)

    def erase(self, session: str) -> int:
        """See `Conversations.erase`."""
        return erase_session(self.scope, stored_key(session))

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


def _rows(opened: Opened, drafts: Sequence[tuple[MessageDraft, str]]) -> list[tuple[object, ...]]:
    """Return the rows of new drafts, given with their sub columns; the context is what the session said before."""
    before: dict[str, deque[str]] = {}
    rows = []
    for draft, sub in drafts:
        if draft.session not in before:
            said = message_rows.said_before(opened.connection, draft.session)
            before[draft.session] = deque(said, maxlen=indexing.CONTEXT_OBSERVATIONS)
        rows.append(message_rows.row(draft, opened.project, sub, before[draft.session]))
        if draft.role.searched:
            before[draft.session].appendleft(draft.text)
    return rows

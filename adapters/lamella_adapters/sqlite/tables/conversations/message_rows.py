"""Rows of messages. Only this module converts between columns of messages and values."""

import json
from collections.abc import Sequence
from datetime import datetime

import apsw

from lamella.domain.conversations.message import Message, MessageDraft, Role, Session, session_name
from lamella.domain.conversations.summary import Summary
from lamella.domain.search import indexing
from lamella.domain.text.printing import stored_key
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema.migrations import SPOKEN
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, structured, to_microseconds
from lamella_adapters.statements import statements

COLUMNS = "key, origin, session, role, at, heading, text, sub, context, client"
"""All columns of a message except its number."""

ANY_OF_SESSION = "SELECT 1 FROM message WHERE session = ? LIMIT 1"
"""Query that returns a row if a session has messages."""

_LAST = 2**63 - 1
_SESSION = b"session:"
_FIELDS = ("number", "session", "role", "text", "at", "client")
_DRAFT_FIELDS = ("key", *_FIELDS[1:])
SQL = statements(
    __file__, columns=COLUMNS, fields=", ".join(_FIELDS), draft_fields=", ".join(_DRAFT_FIELDS), spoken=SPOKEN
)

INSERT = SQL["insert"]
"""Statement to store a message. If the number is NULL, it gets the next one."""


def id_of_session(session: str) -> bytes:
    """Return an id that stands for a session in `departed` and `unfinished_erase`, tables of observation ids."""
    return _SESSION + session.encode()


def session_of_id(id: bytes) -> str | None:
    """Return the session that an id from `id_of_session` stands for. Return None for the id of an observation."""
    return id.removeprefix(_SESSION).decode() if id.startswith(_SESSION) else None


def messages(connection: apsw.Connection, numbers: Sequence[int]) -> tuple[Message, ...]:
    """Return the messages with these numbers, in order of number. Unknown numbers are left out."""
    found = fetch(connection, SQL["messages"], (json.dumps(list(numbers)),))
    return structured(Message, (dict(zip(_FIELDS, row, strict=True)) for row in found))


def summaries(connection: apsw.Connection, session: str, level: int) -> dict[str, Summary]:
    """Return the cached summaries of a session for one level of groups.

    They are keyed by the fingerprint of the summarised messages.
    """
    return {
        fingerprint: Summary(
            first=first, last=last, sentences=tuple(json.loads(sentences)), files=tuple(json.loads(files))
        )
        for fingerprint, first, last, sentences, files in fetch(connection, SQL["summaries"], (session, level))
    }


def drafts(connection: apsw.Connection, after: int, limit: int) -> dict[int, MessageDraft]:
    """Return the next `limit` messages after the number `after` as drafts, keyed by message number."""
    found = fetch(connection, SQL["drafts"], (after, limit))
    rows = structured(MessageDraft, (dict(zip(_DRAFT_FIELDS, row, strict=True)) for _, *row in found))
    return {number: draft for (number, *_), draft in zip(found, rows, strict=True)}


def indexed_beside(connection: apsw.Connection, numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Return the columns `heading` and `sub` of messages, keyed by message number.

    These columns are indexed in addition to the text.
    """
    rows = fetch(connection, SQL["beside"], (json.dumps(list(numbers)),))
    return {number: (heading, hidden_forms) for number, heading, hidden_forms in rows}


def said_before(connection: apsw.Connection, session: str, number: int = _LAST) -> list[str]:
    """Return the context of a message: the beginnings of earlier messages in its session, latest first."""
    asked = (indexing.CONTEXT_CHARACTERS, session, number, indexing.CONTEXT_OBSERVATIONS)
    return [text for (text,) in fetch(connection, SQL["before"], asked)]


def hidden_forms_of(draft: MessageDraft) -> str:
    """Return the hidden forms of a message (see `domain.search.indexing`). Deriving them is slow."""
    return indexing.all_hidden_forms("", draft.text) if draft.role.searched else ""


def row(draft: MessageDraft, origin: str, hidden_forms: str, before: Sequence[str]) -> tuple[object, ...]:
    """Return the values of `COLUMNS` for the message `draft`.

    Args:
        draft: The message.
        origin: Id of the project that the message was imported into.
        hidden_forms: Hidden forms of the message's text.
        before: Texts of earlier messages in the session, latest first.
    """
    heading, hidden_forms, context = derived(draft.role, draft.at, hidden_forms, before)
    at = to_microseconds(draft.at)
    return (
        draft.key,
        origin,
        draft.session,
        draft.role.value,
        at,
        heading,
        draft.text,
        hidden_forms,
        context,
        draft.client,
    )


def derived(role: Role, at: datetime, hidden_forms: str, before: Sequence[str]) -> tuple[str, str, str]:
    """Return the columns `heading`, `sub` and `context` of a message; see `row`."""
    heading = indexing.message_heading(role, at)
    if not role.searched:
        return heading, hidden_forms, ""
    return heading, indexing.message_hidden_forms(hidden_forms, before), indexing.message_context(before)


def sessions(connection: apsw.Connection, id: str | None) -> tuple[Session, ...]:
    """See `Conversations.sessions`."""
    one, asked = ("", ()) if id is None else (" WHERE session = ?", (stored_key(id),))
    return tuple(
        Session(
            id=id,
            name=name_of(connection, id),
            started_at=from_microseconds(first),
            ended_at=from_microseconds(last),
            messages=count,
            client=client,
        )
        for id, first, last, count, client in fetch(connection, SQL["sessions"].format(one=one), asked)
    )


def name_of(connection: apsw.Connection, session: str) -> str:
    """Return the name of a session."""
    given = connection.execute("SELECT name FROM session_name WHERE session = ?", (session,)).get
    # Read lazily: a few messages are usually enough to name a conversation.
    said = (text for (text,) in connection.execute(SQL["said_by_human"], (session,)))
    return session_name(given, said, session)


def forget(connection: apsw.Connection, session: str) -> None:
    """Drop the summaries of a session that has lost messages. If no message is left, drop its name, too."""
    connection.execute(SQL["forget_summaries"], (session,))
    connection.execute(SQL["forget_name"], {"session": session})

"""Convert messages to rows and back, and write the rows."""

from collections.abc import Collection, Mapping, Sequence

from lamella.domain.conversations.message import Message, Role, Session, session_name
from lamella.domain.search import indexing
from lamella.domain.transactions.conversation_writes import AddMessages
from lamella_adapters.postgresql.database.columns import from_microseconds, to_microseconds
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.tables import index
from lamella_adapters.postgresql.tables.index import MESSAGES, Document
from lamella_adapters.statements import statements

SQL = statements(__file__)

COLUMNS = "o.number, o.session, o.role, o.text, o.at, o.client"
"""Columns of a message in the row `o`."""

SPOKEN = f"o.role NOT IN ('{Role.TOOL.value}', '{Role.TOOL_RESULT.value}')"
"""Condition for searchable messages."""

NAMED = SQL["named"]
"""Columns with the session's given name, and its first request, for the row `o`."""

_FIELDS = ("number", "key", "origin", "session", "role", "at", "text", "sub", "client")


def message(row: Row) -> Message:
    """Convert a row that begins with `COLUMNS`."""
    number, session, role, text, at, client = row[:6]
    return Message(
        number=number, session=session, role=Role(role), text=text, at=from_microseconds(at), client=client
    )


def name_of(session: str, given: str | None, request: str | None) -> str:
    """Return the name of a session from the columns `NAMED`."""
    return session_name(given, [] if request is None else [request], session)


def session(row: Row) -> Session:
    """Convert a row of id, first time, last time, number of messages, client, and `NAMED`."""
    id, first, last, count, client, given, request = row
    return Session(
        id=id,
        name=name_of(id, given, request),
        started_at=from_microseconds(first),
        ended_at=from_microseconds(last),
        messages=count,
        client=client,
    )


def add(tx: Transaction, write: AddMessages, before: Mapping[str, Sequence[str]]) -> None:
    """Store and index new messages.

    Args:
        tx: Writing transaction on the project.
        write: The messages.
        before: Latest texts of each session before the new messages, nearest first.
    """
    earlier = {session: list(texts) for session, texts in before.items()}
    rows, documents = [], []
    for number, draft in enumerate(write.drafts, write.first):
        said = earlier[draft.session]
        texts = indexing.indexed_message(draft.text, draft.role, draft.at, said) if draft.role.searched else None
        if texts is not None:
            documents.append(Document.of(MESSAGES, number, texts.columns))
            said.insert(0, draft.text[: indexing.CONTEXT_CHARACTERS])
            del said[indexing.CONTEXT_OBSERVATIONS :]
        at, hidden_forms = to_microseconds(draft.at), "" if texts is None else texts.hidden_forms
        said_by = draft.session, draft.role.value
        rows.append((number, draft.key, write.origin, *said_by, at, draft.text, hidden_forms, draft.client))
    tx.run(SQL["count_up"], last=write.first + len(rows) - 1)
    tx.run(SQL["insert"], **dict(zip(_FIELDS, map(list, zip(*rows, strict=True)), strict=True)))
    index.add(tx, documents)


def forget(tx: Transaction, sessions: Collection[str]) -> None:
    """Delete the summaries of sessions with removed messages, and the names of sessions without messages."""
    tx.run(SQL["forget_summaries"], sessions=list(sessions))
    tx.run(SQL["forget_names"], sessions=list(sessions))

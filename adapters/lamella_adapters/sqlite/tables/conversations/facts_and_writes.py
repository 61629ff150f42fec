"""Read facts about conversations for a decision, and execute the decision's writes."""

import json
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence

import apsw

from lamella.domain.search import indexing
from lamella.domain.text.marks import record_mark, session_mark
from lamella.domain.transactions import conversation_writes, plan
from lamella.domain.transactions.adding import ConversationFacts, ConversationLook
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.erased_rows import known_marks
from lamella_adapters.statements import statements

SQL = statements(__file__)


def conversation_facts(connection: apsw.Connection, look: ConversationLook) -> ConversationFacts:
    """Return the facts requested by `look`."""
    ((last,),) = fetch(connection, SQL["last"])
    waiting = dict(fetch(connection, SQL["waiting"]))
    records = json.dumps([*waiting, *look.records])
    said, ended = (dict(fetch(connection, question, (records,))) for question in (SQL["said"], SQL["ended"]))
    drafts = (draft.session for draft in look.drafts)
    sessions = {*drafts, *look.sessions, *said.values(), *ended.values()}
    return ConversationFacts(
        last=last,
        silent=_silent(connection, sessions),
        names={name: bool(titled) for name, titled in fetch(connection, SQL["names"], (json.dumps([*sessions]),))},
        waiting=waiting,
        said=said,
        ended=ended,
        gone=_gone(connection, {*waiting, *look.records}),
    )


def _silent(connection: apsw.Connection, sessions: Collection[str]) -> frozenset[str]:
    marks = {session_mark(session): session for session in sessions}
    erased = [marks[each] for each in known_marks(connection, marks)]
    return frozenset(session for (session,) in fetch(connection, SQL["silent"], (json.dumps(erased),)))


def _gone(connection: apsw.Connection, records: Collection[str]) -> frozenset[str]:
    marks = {record_mark(record): record for record in records}
    return frozenset(marks[each] for each in known_marks(connection, marks))


def write_conversations(connection: apsw.Connection, write: plan.Write, hidden_forms: Mapping[str, str]) -> None:
    """Execute a write of a plan.

    Args:
        connection: A write transaction on the project's file.
        write: The write.
        hidden_forms: Hidden forms (see `domain.search.indexing`) of messages, keyed by message key. They were
            derived before the transaction. Missing ones are derived here.
    """
    match write:
        case conversation_writes.AddMessages():
            connection.executemany(message_rows.INSERT, _rows(connection, write, hidden_forms))
        case conversation_writes.NameSession():
            connection.execute(SQL["name_session"], (write.session, write.name, write.titled))
        case conversation_writes.SetPosition():
            connection.execute(SQL["put_position"], (write.source, write.position, write.origin))
        case conversation_writes.KeepEnds():
            connection.executemany(SQL["keep_end"], _with_origin(write.ends, write.origin))
            connection.execute(SQL["limit_ends"], (write.most,))
        case conversation_writes.KeepTitles():
            connection.executemany(SQL["keep_title"], _with_origin(write.titles, write.origin))
        case conversation_writes.KeepSummaries():
            if fetch(connection, message_rows.ANY_OF_SESSION, (write.session,)):
                connection.executemany(SQL["keep_summary"], _summary_rows(write))
        case conversation_writes.DropTitles(None):
            connection.execute(SQL["drop_titles"])
        case conversation_writes.DropTitles(records) if records:
            connection.executemany(SQL["drop_title"], [(record,) for record in records])


def _summary_rows(write: conversation_writes.KeepSummaries) -> Iterator[tuple[object, ...]]:
    for fingerprint, said in write.summaries.items():
        texts = map(json.dumps, (said.sentences, said.files))
        yield (write.session, write.level, said.first, said.last, fingerprint, *texts)


def _with_origin(said: Mapping[str, str], origin: str) -> list[tuple[str, str, str]]:
    return [(record, text, origin) for record, text in said.items()]


def _rows(
    connection: apsw.Connection, write: conversation_writes.AddMessages, hidden_forms: Mapping[str, str]
) -> Sequence[tuple[object, ...]]:
    """Return the rows of new messages, each with earlier messages of its session as context."""
    before: dict[str, deque[str]] = {}
    rows = []
    for number, draft in enumerate(write.drafts, write.first):
        if draft.session not in before:
            said = message_rows.said_before(connection, draft.session)
            before[draft.session] = deque(said, maxlen=indexing.CONTEXT_OBSERVATIONS)
        forms = hidden_forms.get(draft.key) or message_rows.hidden_forms_of(draft)
        rows.append((number, *message_rows.row(draft, write.origin, forms, before[draft.session])))
        if draft.role.searched:
            before[draft.session].appendleft(draft.text)
    return rows

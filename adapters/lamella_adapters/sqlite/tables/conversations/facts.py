"""Reads of the stored state of conversations that decisions depend on."""

import json
from collections.abc import Collection

import apsw

from lamella.domain.text.marks import record_mark, session_mark
from lamella.domain.transactions.look import ConversationFacts, ConversationLook
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.erased_rows import known_marks
from lamella_adapters.statements import statements

SQL = statements(__file__)


def conversation_facts(connection: apsw.Connection, look: ConversationLook) -> ConversationFacts:
    """Return the facts requested by a look."""
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

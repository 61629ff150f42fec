"""State of conversations, as a decision asks for it."""

import json
from collections.abc import Collection

import apsw

from lamella.domain.text.marks import record_mark, session_mark
from lamella.domain.transactions.look import ConversationFacts, ConversationLook
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.erased_marks import known_marks

_LAST = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)"
_WAITING = "SELECT record, title FROM waiting_title ORDER BY rowid"
# A message's key is its record, a slash and a part without a slash. "0" is the character after "/".
_SAID = """
SELECT value, session FROM json_each(?) JOIN message ON number = (
  SELECT number FROM message WHERE key >= value || '/' AND key < value || '0'
  AND instr(substr(key, length(value) + 2), '/') = 0 LIMIT 1)
"""
_ENDED = "SELECT record, session FROM session_end WHERE record IN (SELECT value FROM json_each(?))"
_NAMES = "SELECT session, titled FROM session_name WHERE session IN (SELECT value FROM json_each(?))"
_SILENT = """
SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM message WHERE session = value)
"""


def conversation_facts(connection: apsw.Connection, look: ConversationLook) -> ConversationFacts:
    """Answer the questions of a look."""
    ((last,),) = fetch(connection, _LAST)
    waiting = dict(fetch(connection, _WAITING))
    records = json.dumps([*waiting, *look.records])
    said, ended = (dict(fetch(connection, question, (records,))) for question in (_SAID, _ENDED))
    drafts = (draft.session for draft in look.drafts)
    sessions = {*drafts, *look.sessions, *said.values(), *ended.values()}
    return ConversationFacts(
        last=last,
        silent=_silent(connection, sessions),
        names={name: bool(titled) for name, titled in fetch(connection, _NAMES, (json.dumps([*sessions]),))},
        waiting=waiting,
        said=said,
        ended=ended,
        gone=_gone(connection, {*waiting, *look.records}),
    )


def _silent(connection: apsw.Connection, sessions: Collection[str]) -> frozenset[str]:
    marks = {session_mark(session): session for session in sessions}
    erased = [marks[each] for each in known_marks(connection, marks)]
    return frozenset(session for (session,) in fetch(connection, _SILENT, (json.dumps(erased),)))


def _gone(connection: apsw.Connection, records: Collection[str]) -> frozenset[str]:
    marks = {record_mark(record): record for record in records}
    return frozenset(marks[each] for each in known_marks(connection, marks))

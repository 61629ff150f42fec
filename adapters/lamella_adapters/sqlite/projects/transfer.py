"""Transfer of memories and conversations from one project's file to another's, in repeatable batches."""

import json
from collections.abc import Sequence

import apsw

from lamella.domain.transactions.adding import ConversationLook, settle_titles
from lamella.domain.transactions.merging import Move
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.tables import analysis, audit_rows, code_change_rows, context_column, erased_rows
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.conversations.facts_and_writes import conversation_facts, write_conversations
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, Origins, move_rows
from lamella_adapters.sqlite.tables.observation_rows import ALL_COLUMNS, INSERT
from lamella_adapters.statements import statements

_BATCH = 200
SQL = statements(
    __file__, columns=", ".join(ALL_COLUMNS), leaving=LEAVING, message_columns=message_rows.COLUMNS, batch=_BATCH
)
# These names of tables are constants, so nothing can be injected into the SQL below.
_TABLES = ("session_end", "waiting_title")
_KEEP = "INSERT OR REPLACE INTO {} VALUES (?, ?, ?)"
_READ = f"SELECT * FROM {{}} WHERE {LEAVING} ORDER BY rowid"  # noqa: S608 - see above


def move_memories(source: Database, target: Database, split: Move | None = None) -> int:
    """Move all rows from `source` to `target`, or only the rows of the origins that `split` moves.

    The origin of a row is the id of the project that it was added to, regardless of merges.

    Each batch is written to `target` and deleted from `source` while both files are locked. So no other process
    can change, erase or add these rows meanwhile. If the move is interrupted between the two commits, both files
    have the rows of a batch. When the move is repeated, a merge keeps the rows in `target`, and a split keeps the
    rows from `source`.

    Returns:
        The number of moved observations.
    """
    origins, rest = (json.dumps([*split.origins]), json.dumps([*split.rest])) if split else (None, None)
    asked = {"origins": origins, "rest": rest}
    _move_messages(source, target, asked)
    moved = 0
    while True:
        with source.writing() as leaving, target.writing() as arriving:
            batch = fetch(leaving, SQL["read"], asked)
            if not batch:
                move_rows(leaving, arriving, "capture", "mark", asked)
                _move_activity(leaving, arriving, asked)
                audit_rows.move_entries(leaving, arriving, asked)
                return moved
            arrived = []
            for sequence, *values in batch:
                if split:
                    arriving.execute("DELETE FROM observation WHERE id = ?", values[:1])
                if not fetch(arriving, "SELECT 1 FROM observation WHERE id = ?", values[:1]):
                    arriving.execute(INSERT, {"seq": None, **dict(zip(ALL_COLUMNS, values, strict=True))})
                    arrived.append(arriving.last_insert_rowid())
                    code_change_rows.copy_changes(leaving, arriving, sequence, arrived[-1])
            places = [place for sequence, *_ in batch for place in fetch(leaving, SQL["place"], (sequence,))]
            leaving.executemany("DELETE FROM observation WHERE seq = ?", [(sequence,) for sequence, *_ in batch])
            leaving.executemany(SQL["depart"], [(id,) for _, id, *_ in batch])
            for place in places:
                context_column.refresh_followers(leaving, *place)
            for sequence in arrived:
                context_column.refresh_around(arriving, sequence)
            analysis.leave_unanalysed(leaving, arriving)
            moved += len(batch)


def _move_messages(source: Database, target: Database, asked: Origins) -> None:
    """Move the messages of some origins from `source` to `target`.

    The messages get the next numbers of `target`. A message is dropped if the target has stored or erased a
    message with the same key. Session names and import positions (how far each transcript has been read) move too.
    Positions are moved last. If an import runs after an interrupted merge, it reads some messages twice. In the
    opposite order, it would miss messages. Afterwards, everything that was erased in `source` counts as erased in
    both files.
    """
    while True:
        with source.writing() as leaving, target.writing() as arriving:
            batch = fetch(leaving, SQL["read_messages"], asked)
            if not batch:
                move_rows(leaving, arriving, "transcript_position", "source", asked)
                erased_rows.copy_erased(leaving, arriving)
                move_titles(leaving, arriving, asked)
                return
            _move_batch(leaving, arriving, batch)
            analysis.leave_unanalysed(leaving, arriving)


def _move_batch(leaving: apsw.Connection, arriving: apsw.Connection, batch: Sequence[tuple[object, ...]]) -> None:
    keys = [str(key) for _, key, *_ in batch]
    known = erased_rows.known_keys(arriving, keys)
    for _, key, *values in batch:
        if key not in known:
            arriving.execute(message_rows.INSERT, (None, key, *values))
    leaving.executemany("DELETE FROM message WHERE number = ?", [(number,) for number, *_ in batch])
    for session in sorted({str(session) for _, _, _, session, *_ in batch}):
        if not erased_rows.is_erased(arriving, session):
            name = fetch(leaving, "SELECT session, name, titled FROM session_name WHERE session = ?", (session,))
            arriving.executemany(SQL["set_name"], name)
        message_rows.forget(leaving, session)
        leaving.execute(SQL["depart"], (message_rows.id_of_session(session),))


def _move_activity(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move the log entries of `origins`. If the target has an entry of the same name, keep the target's entry."""
    entries = move_rows(leaving, arriving, "activity", "name", origins)
    sessions = {session for _, _, _, session, *_ in entries if session is not None}
    leaving.executemany(SQL["depart"], [(message_rows.id_of_session(session),) for session in sorted(sessions)])


def move_titles(leaving: apsw.Connection, arriving: apsw.Connection, origins: Origins) -> None:
    """Move waiting titles, and the ids of the last records of conversations.

    A title waits for the record that it names. Afterwards, assign the titles whose records are in the target now.
    """
    for table in _TABLES:
        rows = fetch(leaving, _READ.format(table), origins)
        arriving.executemany(_KEEP.format(table), rows)
        leaving.executemany(f"DELETE FROM {table} WHERE record = ?", [(record,) for record, *_ in rows])  # noqa: S608 - see above
    for write in settle_titles(conversation_facts(arriving, ConversationLook())):
        write_conversations(arriving, write, {})

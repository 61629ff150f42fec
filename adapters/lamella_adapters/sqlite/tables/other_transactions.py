"""Facts and writes that only transactions other than saves need, such as captures and erasures."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw
from attrs import evolve

from lamella.domain.text.marks import text_mark
from lamella.domain.transactions import other_writes, plan
from lamella.domain.transactions.auditing import is_disordered
from lamella.domain.transactions.look import Facts, Look
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables import audit_rows, erased_rows, observation_rows, vector_rows
from lamella_adapters.sqlite.tables.code_change_rows import recorded_requests, remember_request
from lamella_adapters.sqlite.tables.context_column import refresh_around
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.conversations.facts_and_writes import conversation_facts, write_conversations
from lamella_adapters.sqlite.tables.index_segments import merge_after_ageing
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.statements import statements

SQL = statements(__file__)
_ADD_ACTIVITY = "INSERT OR IGNORE INTO activity VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def other_facts(connection: apsw.Connection, look: Look, facts: Facts, cleared: Collection[Any]) -> Facts:
    """Return `facts`, completed by facts that are never needed to save a memory.

    Args:
        connection: A transaction on the project's file.
        look: The data to look up.
        facts: The facts read so far.
        cleared: See `SqliteTransaction`.
    """
    session = look.messages_of
    return evolve(
        facts,
        erased=erased_rows.known_marks(connection, look.marks) if look.marks else frozenset(),
        recorded=recorded_requests(connection, look.requests) if look.requests else frozenset(),
        keys=erased_rows.known_keys(connection, look.keys) if look.keys else frozenset(),
        conversations=conversation_facts(connection, look.conversations) if look.conversations else None,
        positions=_positions(connection, look.sources) if look.sources else {},
        messages=_messages(connection, session, cleared) if session is not None else {},
        ends=() if session is None or not look.erasing else erased_rows.ends_of(connection, session),
        session_names=dict(fetch(connection, SQL["session_names"])) if look.session_names else {},
        warned=look.warned is not None and bool(fetch(connection, SQL["warned"], _warning(look.warned))),
        model=vector_rows.adopted(connection) if look.model else None,
        vectors=vector_rows.stored(connection, look.vectors) if look.vectors else {},
        said=message_rows.messages(connection, look.numbers) if look.numbers else (),
        summaries=message_rows.summaries(connection, *look.summaries) if look.summaries else {},
    )


def other_write(  # noqa: C901, PLR0912 - a case for each write
    connection: apsw.Connection, write: plan.Write, project: str, hidden_forms: Mapping[str, str]
) -> None:
    """Execute a write that most saves don't need.

    Args:
        connection: A write transaction on the project's file.
        write: The write.
        project: Id of the file's own project.
        hidden_forms: See `SqliteTransaction`.
    """
    match write:
        case other_writes.Amend(observation=said):
            observation_rows.amend(connection, said, write.lines)
            refresh_around(connection, said.sequence)
        case other_writes.Age():
            """`finish` sets these statuses, all of them together."""
        case other_writes.AddEntry(entry):
            audit_rows.add_entry(connection, entry, project)
        case other_writes.NameInEntry():
            audit_rows.name_in_entry(connection, write)
        case other_writes.Erase(ids):
            erased_rows.ErasedMemories(ids).delete(connection)
        case other_writes.EraseSession(session):
            erased_rows.ErasedSession(session).delete(connection)
        case other_writes.RememberRequest():
            remember_request(connection, write.request, write.origin)
        case other_writes.RememberErased(marks):
            erased_rows.remember_marks(connection, marks)
        case other_writes.MarkWarned(warned):
            connection.execute(SQL["mark_warned"], _warning(warned)[::-1])
        case other_writes.LogActivity():
            _log_activity(connection, write)
        case other_writes.AdoptModel(model):
            vector_rows.adopt(connection, model)
        case other_writes.PutVectors(vectors):
            vector_rows.put(connection, vectors)
        case _:
            write_conversations(connection, write, hidden_forms)


def finish(connection: apsw.Connection, writes: plan.Plan, logged: datetime | None) -> None:
    """Age all edits of a plan, and number audit entries in order of time.

    Args:
        connection: A write transaction on the project's file.
        writes: The plan. All of its other writes were executed before.
        logged: See `SqliteTransaction`.
    """
    if ageing := {each.former: each.now for each in writes if isinstance(each, other_writes.Age)}:
        observation_rows.age(connection, ageing)
        for former in ageing:
            refresh_around(connection, former.sequence)
        merge_after_ageing(connection, len(ageing))
    if is_disordered([each.entry for each in writes if isinstance(each, other_writes.AddEntry)], logged):
        audit_rows.number_by_time(connection)


def _messages(connection: apsw.Connection, session: str, cleared: Collection[Any]) -> Mapping[int, str]:
    here = erased_rows.keys_of(connection, session)
    elsewhere = sorted({*cleared}.difference(here.values()))
    return {**{-number: key for number, key in enumerate(elsewhere, 1)}, **here}


def _positions(connection: apsw.Connection, sources: Sequence[str]) -> Mapping[str, str]:
    found = {source: fetch(connection, SQL["position"], (source,)) for source in sources}
    return {source: position for source, rows in found.items() for (position,) in rows}


def _warning(warned: other_writes.Warned) -> tuple[bytes, bytes]:
    """Return the stored values of a warning: the id of its observation, and the mark of its session and path."""
    return warned.observation.bytes, text_mark(warned.session, warned.path)


def _log_activity(connection: apsw.Connection, write: other_writes.LogActivity) -> None:
    """Add entries to the activity log, and drop old entries. Skip entries with a known name."""
    rows = [
        (
            *(each.name, to_microseconds(each.at), each.kind, each.session, each.about, each.tokens),
            write.origin,
            "".join(f"{id} " for id in each.memories) or None,
            each.edit or None,
        )
        for each in write.entries
    ]
    connection.executemany(_ADD_ACTIVITY, rows)
    connection.execute("DELETE FROM activity WHERE at < ?", (to_microseconds(write.oldest),))

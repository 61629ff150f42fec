"""Transfer of a project's rows to another project in one transaction: all rows, or the rows of some origins.

The origin of a row is the id of the project that it was added to, regardless of merges.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from lamella.domain.text.marks import session_mark, text_mark
from lamella.domain.transactions.merging import Move
from lamella_adapters.postgresql.database.transaction import Transaction
from lamella_adapters.postgresql.tables import audit_rows, contexts, index
from lamella_adapters.postgresql.tables import message_rows as rows
from lamella_adapters.postgresql.tables.conversations import settle
from lamella_adapters.postgresql.tables.index import LIVE, MESSAGES, PURGED
from lamella_adapters.postgresql.tables.questions import SQL as QUESTIONS
from lamella_adapters.statements import statements

_LEAVING = "project = %(source)s AND (%(origins)s::text[] IS NULL OR origin = ANY(%(origins)s::text[]))"
SQL = statements(__file__, leaving=_LEAVING)
_PARTS = " AND t.part = ANY(%(parts)s::int[])"
_REPLACE = "(project, record) DO UPDATE SET {0} = excluded.{0}, origin = excluded.origin, place = DEFAULT"
_MOVED: Mapping[str, tuple[str, str, str]] = {
    "capture": ("mark, origin", "", "DO NOTHING"),
    "activity": ("name, at, kind, session, about, tokens, memories, edit, origin", "", "DO NOTHING"),
    "transcript_position": ("source, position, origin", "", "DO NOTHING"),
    "session_end": ("record, session, origin", " ORDER BY place", _REPLACE.format("session")),
    "waiting_title": ("record, title, origin", " ORDER BY place", _REPLACE.format("title")),
}
"""Tables whose rows move unchanged, each with its columns, the order of its rows, and the action on a conflict."""


def move(tx: Transaction, source: int, target: int, *, split: Move | None = None) -> int:
    """Move rows from one project to another. Return the number of moved observations.

    Args:
        tx: Writing transaction on the registry.
        source: Number of the project to move from.
        target: Number of the project to move to.
        split: The split, which moves the rows of some origins; None to move all rows.
    """
    asked: dict[str, Any] = {
        "source": source,
        "target": target,
        "origins": split and list(split.origins),
        "rest": split and list(split.rest),
    }
    tx.run(SQL["revise"], **asked)
    moved = _move_observations(tx, asked)
    _move_messages(tx, asked)
    for table, (columns, order, conflict) in _MOVED.items():
        tx.run(SQL["move"].format(table=table, columns=columns, order=order, conflict=conflict), **asked)
    for statement in ("entries", "keep_split", "leave"):
        tx.run(SQL[statement], **asked)
    audit_rows.number_by_time(tx, target)
    tx.run(SQL["enter"], number=target)
    settle(tx)
    return moved


def _move_observations(tx: Transaction, asked: Mapping[str, Any]) -> int:
    found = tx.rows(SQL["observations"], **asked)
    if not found:
        return 0
    old = [seq for seq, *_ in found]
    new = _renumbered(tx, asked, "sequence", old)
    for table in ("told_removal", "vector"):
        tx.run(SQL["forget_derived"].format(table=table), **asked, old=old)
    for table in ("observation", "code_change"):
        tx.run(SQL["renumber"].format(table=table, column="seq", condition=""), **asked, old=old, new=new)
    _move_index(tx, asked, old, new, [LIVE, PURGED])
    # A merge joins sessions with the same id, and a split separates them again: this changes the context of their
    # observations.
    sessions: dict[str, Any] = {
        "sessions": list({session for _, session, live in found if live and session is not None})
    }
    for project in (asked["source"], asked["target"]):
        tx.run(SQL["enter"], number=project)
        contexts.refresh(tx, seqs=[seq for (seq,) in tx.rows(SQL["in_sessions"], **sessions)])
    return len(old)


def _move_messages(tx: Transaction, asked: Mapping[str, Any]) -> None:
    tx.run(SQL["copy_erased"], **asked)
    found = tx.rows(SQL["messages"], **asked)
    if not found:
        return
    sessions = list({session for _, session, _ in found})
    tx.run(SQL["enter"], number=asked["target"])
    known, erased = tx.answers(
        (QUESTIONS["known_keys"], {"keys": [key for *_, key in found]}),
        (
            QUESTIONS["known_marks"],
            {"marks": [*(text_mark(key) for *_, key in found), *map(session_mark, sessions)]},
        ),
    )
    there, gone = {key for (key,) in known}, {mark for (mark,) in erased}
    dropped = [number for number, _, key in found if key in there or text_mark(key) in gone]
    old = [number for number, *_ in found if number not in set(dropped)]
    tx.run(SQL["enter"], number=asked["source"])
    index.remove(tx, dropped, parts=[MESSAGES])
    tx.run("DELETE FROM message WHERE project = here() AND number = ANY(%(old)s::bigint[])", old=dropped)
    new = _renumbered(tx, asked, "message", old)
    tx.run(SQL["renumber"].format(table="message", column="number", condition=""), **asked, old=old, new=new)
    _move_index(tx, asked, old, new, [MESSAGES])
    tx.run(SQL["enter"], number=asked["target"])
    spoken = {session for (session,) in tx.rows(SQL["with_messages"], sessions=sessions)}
    named = [each for each in sessions if each in spoken or session_mark(each) not in gone]
    tx.run(SQL["take_names"], **asked, sessions=named)
    tx.run(SQL["enter"], number=asked["source"])
    rows.forget(tx, sessions)


def _renumbered(tx: Transaction, asked: Mapping[str, Any], counter: str, old: Sequence[int]) -> list[int]:
    """For each of the `old` numbers in the source project, reserve a number in the target project."""
    ((first,),) = tx.rows(SQL["counted"].format(counter=counter), **asked, count=len(old))
    return list(range(first, first + len(old)))


def _move_index(
    tx: Transaction, asked: Mapping[str, Any], old: Sequence[int], new: Sequence[int], parts: Sequence[int]
) -> None:
    values = {**asked, "old": list(old), "new": list(new), "parts": list(parts)}
    for table in ("document", "posting"):
        tx.run(SQL["renumber"].format(table=table, column="seq", condition=_PARTS), **values)
    tx.run(SQL["count_anew"], **values)

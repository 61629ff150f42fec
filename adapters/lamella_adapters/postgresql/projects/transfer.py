"""Transfer of all that belongs to a project, or to some origins in it, to another project, in one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from lamella.domain.text.marks import session_mark, text_mark
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import index
from lamella_adapters.postgresql.tables import message_rows as rows
from lamella_adapters.postgresql.tables.audit_rows import number_by_time
from lamella_adapters.postgresql.tables.contexts import refresh
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
    "activity": ("name, at, kind, session, about, tokens, memories, origin", "", "DO NOTHING"),
    "transcript_position": ("source, position, origin", "", "DO NOTHING"),
    "session_end": ("record, session, origin", " ORDER BY place", _REPLACE.format("session")),
    "waiting_title": ("record, title, origin", " ORDER BY place", _REPLACE.format("title")),
}
"""Columns of tables whose rows just move, their order, and what becomes of what both projects have."""


def move(turn: Turn, source: int, target: int, *, origins: Sequence[str] | None = None) -> int:
    """Move all rows from one project to another, or those of some origins. Return the number of observations."""
    asked: dict[str, Any] = {
        "source": source,
        "target": target,
        "origins": None if origins is None else list(origins),
    }
    turn.run(SQL["revise"], **asked)
    moved = _move_observations(turn, asked)
    _move_messages(turn, asked)
    for table, (columns, order, conflict) in _MOVED.items():
        turn.run(SQL["move"].format(table=table, columns=columns, order=order, conflict=conflict), **asked)
    turn.run(SQL["entries"], **asked)
    number_by_time(turn, target)
    _enter(turn, target)
    settle(turn)
    return moved


def _enter(turn: Turn, project: int) -> None:
    turn.run(SQL["enter"], number=project)


def _move_observations(turn: Turn, asked: Mapping[str, Any]) -> int:
    found = turn.rows(SQL["observations"], **asked)
    if not found:
        return 0
    old = [seq for seq, *_ in found]
    new = _renumbered(turn, asked, "sequence", old)
    for table in ("told_removal", "vector"):
        turn.run(SQL["forget_derived"].format(table=table), **asked, old=old)
    for table in ("observation", "code_change"):
        turn.run(SQL["renumber"].format(table=table, column="seq", condition=""), **asked, old=old, new=new)
    _move_index(turn, asked, old, new, [LIVE, PURGED])
    # A session of both projects is one now, or two again.
    sessions: dict[str, Any] = {
        "sessions": list({session for _, session, live in found if live and session is not None})
    }
    for project in (asked["source"], asked["target"]):
        turn.run(SQL["enter"], number=project)
        refresh(turn, seqs=[seq for (seq,) in turn.rows(SQL["in_sessions"], **sessions)])
    return len(old)


def _move_messages(turn: Turn, asked: Mapping[str, Any]) -> None:
    turn.run(SQL["copy_erased"], **asked)
    found = turn.rows(SQL["messages"], **asked)
    if not found:
        return
    sessions = list({session for _, session, _ in found})
    turn.run(SQL["enter"], number=asked["target"])
    known, erased = turn.answers(
        (QUESTIONS["known_keys"], {"keys": [key for *_, key in found]}),
        (
            QUESTIONS["known_marks"],
            {"marks": [*(text_mark(key) for *_, key in found), *map(session_mark, sessions)]},
        ),
    )
    there, gone = {key for (key,) in known}, {mark for (mark,) in erased}
    dropped = [number for number, _, key in found if key in there or text_mark(key) in gone]
    old = [number for number, *_ in found if number not in set(dropped)]
    turn.run(SQL["enter"], number=asked["source"])
    index.remove(turn, dropped, parts=[MESSAGES])
    turn.run("DELETE FROM message WHERE project = here() AND number = ANY(%(old)s::bigint[])", old=dropped)
    new = _renumbered(turn, asked, "message", old)
    turn.run(SQL["renumber"].format(table="message", column="number", condition=""), **asked, old=old, new=new)
    _move_index(turn, asked, old, new, [MESSAGES])
    turn.run(SQL["enter"], number=asked["target"])
    spoken = {session for (session,) in turn.rows(SQL["with_messages"], sessions=sessions)}
    named = [each for each in sessions if each in spoken or session_mark(each) not in gone]
    turn.run(SQL["take_names"], **asked, sessions=named)
    turn.run(SQL["enter"], number=asked["source"])
    rows.forget(turn, sessions)


def _renumbered(turn: Turn, asked: Mapping[str, Any], counter: str, old: Sequence[int]) -> list[int]:
    """Return the next numbers of the target, as many as there are old ones."""
    ((first,),) = turn.rows(SQL["counted"].format(counter=counter), **asked, count=len(old))
    return list(range(first, first + len(old)))


def _move_index(
    turn: Turn, asked: Mapping[str, Any], old: Sequence[int], new: Sequence[int], parts: Sequence[int]
) -> None:
    values = {**asked, "old": list(old), "new": list(new), "parts": list(parts)}
    for table in ("document", "posting"):
        turn.run(SQL["renumber"].format(table=table, column="seq", condition=_PARTS), **values)
    turn.run(SQL["count_anew"], **values)

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
from lamella_adapters.postgresql.tables.erased_rows import KNOWN_MARKS
from lamella_adapters.postgresql.tables.index import LIVE, MESSAGES, PURGED

# Every statement is put together from constants of this module; values are always bound.
_ENTER = "SELECT set_config('lamella.project', %(number)s::text, true)"
_LEAVING = "project = %(source)s AND (%(origins)s::text[] IS NULL OR origin = ANY(%(origins)s::text[]))"
_REVISE = "UPDATE project SET revision = revision + 1 WHERE number IN (%(source)s, %(target)s)"
_OBSERVATIONS = f"SELECT seq, session, purged_at IS NULL FROM observation WHERE {_LEAVING} ORDER BY seq"  # noqa: S608 - see above
_MESSAGES = f"SELECT number, session, key FROM message WHERE {_LEAVING} ORDER BY number"  # noqa: S608 - see above
_COUNTED = """
UPDATE project SET {counter} = {counter} + %(count)s WHERE number = %(target)s RETURNING {counter} - %(count)s + 1
"""
_RENUMBER = """
UPDATE {table} AS t SET project = %(target)s, {column} = m.new
FROM unnest(%(old)s::bigint[], %(new)s::bigint[]) AS m (old, new)
WHERE t.project = %(source)s AND t.{column} = m.old{condition}
"""
_PARTS = " AND t.part = ANY(%(parts)s::int[])"
_FORGET_DERIVED = "DELETE FROM {table} WHERE project = %(source)s AND seq = ANY(%(old)s::bigint[])"
_COUNT_ANEW = """
DELETE FROM term WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]);
INSERT INTO term (project, part, term, holders)
SELECT project, part, term, count(*) FROM posting
WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]) GROUP BY project, part, term;
DELETE FROM index_size WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]);
INSERT INTO index_size (project, part, documents, tokens)
SELECT project, part, count(*), sum(length) FROM document
WHERE project IN (%(source)s, %(target)s) AND part = ANY(%(parts)s::int[]) GROUP BY project, part
"""
_IN_SESSIONS = """
SELECT seq FROM observation WHERE project = here() AND session = ANY(%(sessions)s::text[]) AND purged_at IS NULL
"""
_MOVE = f"""
WITH leaving AS (DELETE FROM {{table}} WHERE {_LEAVING} RETURNING *)
INSERT INTO {{table}} (project, {{columns}})
SELECT %(target)s, {{columns}} FROM leaving{{order}}
ON CONFLICT {{conflict}}
"""  # noqa: S608 - see above
_REPLACE = "(project, record) DO UPDATE SET {0} = excluded.{0}, origin = excluded.origin, place = DEFAULT"
_MOVED: Mapping[str, tuple[str, str, str]] = {
    "capture": ("mark, origin", "", "DO NOTHING"),
    "activity": ("name, at, kind, session, about, tokens, memories, origin", "", "DO NOTHING"),
    "transcript_position": ("source, position, origin", "", "DO NOTHING"),
    "session_end": ("record, session, origin", " ORDER BY place", _REPLACE.format("session")),
    "waiting_title": ("record, title, origin", " ORDER BY place", _REPLACE.format("title")),
}
"""Columns of tables whose rows just move, their order, and what becomes of what both projects have."""
_ENTRIES = f"""
WITH leaving AS (DELETE FROM audit WHERE {_LEAVING} RETURNING *),
  fresh AS (
    SELECT l.*, row_number() OVER (ORDER BY l.number) AS place FROM leaving AS l
    WHERE l.id NOT IN (SELECT id FROM audit WHERE project = %(target)s)
  ),
  counted AS (
    UPDATE project SET entry = entry + (SELECT count(*) FROM fresh) WHERE number = %(target)s RETURNING entry
  )
INSERT INTO audit (project, number, id, at, action, actor, author, session, undoes, count, old, new, added, purged,
  restored, origin)
SELECT %(target)s, c.entry - (SELECT count(*) FROM fresh) + f.place, id, at, action, actor, author, session,
  undoes, count, old, new, added, purged, restored, origin FROM fresh AS f, counted AS c
"""  # noqa: S608 - see above
_COPY_ERASED = """
INSERT INTO erased_message (project, mark) SELECT %(target)s, mark FROM erased_message WHERE project = %(source)s
ON CONFLICT DO NOTHING
"""
_TAKE_NAMES = """
INSERT INTO session_name AS n (project, session, name, titled)
SELECT %(target)s, session, name, titled FROM session_name
WHERE project = %(source)s AND session = ANY(%(sessions)s::text[])
ON CONFLICT (project, session) DO UPDATE SET name = excluded.name, titled = false
WHERE n.titled AND NOT excluded.titled
"""


def move(turn: Turn, source: int, target: int, *, origins: Sequence[str] | None = None) -> int:
    """Move all rows from one project to another, or those of some origins. Return the number of observations."""
    asked: dict[str, Any] = {
        "source": source,
        "target": target,
        "origins": None if origins is None else list(origins),
    }
    turn.run(_REVISE, **asked)
    moved = _move_observations(turn, asked)
    _move_messages(turn, asked)
    for table, (columns, order, conflict) in _MOVED.items():
        turn.run(_MOVE.format(table=table, columns=columns, order=order, conflict=conflict), **asked)
    turn.run(_ENTRIES, **asked)
    number_by_time(turn, target)
    _enter(turn, target)
    settle(turn)
    return moved


def _enter(turn: Turn, project: int) -> None:
    turn.run(_ENTER, number=project)


def _move_observations(turn: Turn, asked: Mapping[str, Any]) -> int:
    found = turn.rows(_OBSERVATIONS, **asked)
    if not found:
        return 0
    old = [seq for seq, *_ in found]
    new = _renumbered(turn, asked, "sequence", old)
    for table in ("told_removal", "vector"):
        turn.run(_FORGET_DERIVED.format(table=table), **asked, old=old)
    for table in ("observation", "code_change"):
        turn.run(_RENUMBER.format(table=table, column="seq", condition=""), **asked, old=old, new=new)
    _move_index(turn, asked, old, new, [LIVE, PURGED])
    # A session of both projects is one now, or two again.
    sessions: dict[str, Any] = {
        "sessions": list({session for _, session, live in found if live and session is not None})
    }
    for project in (asked["source"], asked["target"]):
        turn.run(_ENTER, number=project)
        refresh(turn, seqs=[seq for (seq,) in turn.rows(_IN_SESSIONS, **sessions)])
    return len(old)


def _move_messages(turn: Turn, asked: Mapping[str, Any]) -> None:
    turn.run(_COPY_ERASED, **asked)
    found = turn.rows(_MESSAGES, **asked)
    if not found:
        return
    sessions = list({session for _, session, _ in found})
    turn.run(_ENTER, number=asked["target"])
    known, erased = turn.answers(
        (rows.KNOWN_KEYS, {"keys": [key for *_, key in found]}),
        (
            KNOWN_MARKS,
            {"marks": [*(text_mark(key) for *_, key in found), *map(session_mark, sessions)]},
        ),
    )
    there, gone = {key for (key,) in known}, {mark for (mark,) in erased}
    dropped = [number for number, _, key in found if key in there or text_mark(key) in gone]
    old = [number for number, *_ in found if number not in set(dropped)]
    turn.run(_ENTER, number=asked["source"])
    index.remove(turn, dropped, parts=[MESSAGES])
    turn.run("DELETE FROM message WHERE project = here() AND number = ANY(%(old)s::bigint[])", old=dropped)
    new = _renumbered(turn, asked, "message", old)
    turn.run(_RENUMBER.format(table="message", column="number", condition=""), **asked, old=old, new=new)
    _move_index(turn, asked, old, new, [MESSAGES])
    turn.run(_ENTER, number=asked["target"])
    spoken = {session for (session,) in turn.rows(rows.WITH_MESSAGES, sessions=sessions)}
    named = [each for each in sessions if each in spoken or session_mark(each) not in gone]
    turn.run(_TAKE_NAMES, **asked, sessions=named)
    turn.run(_ENTER, number=asked["source"])
    rows.forget(turn, sessions)


def _renumbered(turn: Turn, asked: Mapping[str, Any], counter: str, old: Sequence[int]) -> list[int]:
    """Return the next numbers of the target, as many as there are old ones."""
    ((first,),) = turn.rows(_COUNTED.format(counter=counter), **asked, count=len(old))
    return list(range(first, first + len(old)))


def _move_index(
    turn: Turn, asked: Mapping[str, Any], old: Sequence[int], new: Sequence[int], parts: Sequence[int]
) -> None:
    values = {**asked, "old": list(old), "new": list(new), "parts": list(parts)}
    for table in ("document", "posting"):
        turn.run(_RENUMBER.format(table=table, column="seq", condition=_PARTS), **values)
    turn.run(_COUNT_ANEW, **values)

"""Titles of conversations that arrive with the id of a record instead of a session."""

from collections.abc import Collection, Mapping

from lamella.domain.conversations.message import MAX_ENDS, MAX_WAITING_TITLES, Batch
from lamella.domain.text.marks import record_mark, session_mark
from lamella_adapters.postgresql.conversations.rows import WITH_MESSAGES
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables.erased_marks import KNOWN_MARKS

# Tables and columns are our own constants.
_DROP = "DELETE FROM {table} WHERE project = here() AND record = ANY(%(records)s::text[])"
_KEEP = """
INSERT INTO {table} (project, record, {column}, origin)
SELECT here(), record, said, %(origin)s
FROM unnest(%(records)s::text[], %(said)s::text[]) WITH ORDINALITY AS k (record, said, place) ORDER BY place
"""
_BOUND = """
DELETE FROM {table} WHERE project = here() AND place <= (
  SELECT place FROM {table} WHERE project = here() ORDER BY place DESC OFFSET %(most)s LIMIT 1)
"""
_LIMITS = {"session_end": MAX_ENDS, "waiting_title": MAX_WAITING_TITLES}
# A message's key is its record, a slash and a part without a slash. "0" is the character after "/".
_PLACED = """
SELECT w.record, w.title, coalesce(
  (SELECT m.session FROM message AS m WHERE m.project = here() AND m.key >= w.record || '/'
     AND m.key < w.record || '0' AND strpos(substr(m.key, length(w.record) + 2), '/') = 0 LIMIT 1),
  (SELECT e.session FROM session_end AS e WHERE e.project = here() AND e.record = w.record)
) FROM waiting_title AS w WHERE w.project = here() ORDER BY w.place
"""
_CALL = """
INSERT INTO session_name AS n (project, session, name, titled) VALUES (here(), %(session)s, %(name)s, %(titled)s)
ON CONFLICT (project, session) DO UPDATE SET name = excluded.name, titled = excluded.titled
WHERE n.titled OR NOT excluded.titled
"""


def call(turn: Turn, names: Mapping[str, str], *, titled: bool) -> None:
    """Give names or titles to sessions. A title replaces no name."""
    for session, name in names.items():
        turn.run(_CALL, session=session, name=name, titled=titled)


def keep_titles(turn: Turn, batch: Batch) -> None:
    """Store the titles and ends of conversations in a batch, and give sessions their titles."""
    for table, column, kept in (
        ("session_end", "session", batch.ends),
        ("waiting_title", "title", batch.titles),
    ):
        if kept:
            values = {"records": list(kept), "said": list(kept.values()), "origin": turn.project}
            turn.run(_DROP.format(table=table), **values)
            turn.run(_KEEP.format(table=table, column=column), **values)
    settle(turn)


def settle(turn: Turn) -> None:
    """Give each title whose record is known to its session, and drop those of erased records, and the oldest."""
    waiting = turn.rows(_PLACED)
    if waiting:
        sessions = list({session for _, _, session in waiting if session is not None})
        marks = [*(record_mark(record) for record, *_ in waiting), *map(session_mark, sessions)]
        erased, spoken = turn.answers((KNOWN_MARKS, {"marks": marks}), (WITH_MESSAGES, {"sessions": sessions}))
        gone, there = {mark for (mark,) in erased}, {session for (session,) in spoken}
        dropped = []
        for record, title, session in waiting:
            if record_mark(record) in gone:
                dropped.append(record)
            elif session is not None:
                dropped.append(record)
                if session in there or session_mark(session) not in gone:
                    call(turn, {session: title}, titled=True)
        _drop(turn, dropped)
    for table, most in _LIMITS.items():
        turn.run(_BOUND.format(table=table), most=most)


def _drop(turn: Turn, records: Collection[str]) -> None:
    turn.run(_DROP.format(table="waiting_title"), records=list(records))

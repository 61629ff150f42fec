"""Facts and writes of conversations: numbers, names, titles and positions."""

from collections.abc import Mapping, Sequence

from lamella.domain.search import indexing
from lamella.domain.text.marks import record_mark, session_mark
from lamella.domain.transactions.adding import settle_titles
from lamella.domain.transactions.look import ConversationFacts, ConversationLook
from lamella.domain.transactions.plan import (
    AddMessages,
    DropTitles,
    KeepEnds,
    KeepTitles,
    NameSession,
    SetPosition,
    Write,
)
from lamella_adapters.postgresql.database.turn import Row, Turn
from lamella_adapters.postgresql.tables import message_rows
from lamella_adapters.postgresql.tables.erased_rows import KNOWN_MARKS

# Every statement is put together from constants of our modules; values are always bound.
LAST = "SELECT message FROM project WHERE number = here()"
"""Question for the highest number of a message."""

BEFORE = f"""
SELECT a.session, ARRAY(
  SELECT left(o.text, %(characters)s) FROM message AS o
  WHERE o.project = here() AND o.session = a.session AND {message_rows.SPOKEN}
  ORDER BY o.number DESC LIMIT %(count)s)
FROM unnest(%(sessions)s::text[]) AS a (session)
"""  # noqa: S608 - see above
"""Question for what some sessions said last."""

# A message's key is its record, a slash and a part without a slash. "0" is the character after "/".
TITLES = """
SELECT r.record, w.title,
  (SELECT m.session FROM message AS m WHERE m.project = here() AND m.key >= r.record || '/'
     AND m.key < r.record || '0' AND strpos(substr(m.key, length(r.record) + 2), '/') = 0 LIMIT 1),
  (SELECT e.session FROM session_end AS e WHERE e.project = here() AND e.record = r.record)
FROM (
  SELECT unnest(%(records)s::text[]) UNION SELECT record FROM waiting_title WHERE project = here()
) AS r (record) LEFT JOIN waiting_title AS w ON w.project = here() AND w.record = r.record
ORDER BY w.place
"""
"""Question for records of titles: the title that waits, and the sessions of a message and of an end."""

SESSIONS = """
SELECT a.session, n.titled,
  EXISTS (SELECT 1 FROM message AS m WHERE m.project = here() AND m.session = a.session)
FROM unnest(%(sessions)s::text[]) AS a (session)
LEFT JOIN session_name AS n ON n.project = here() AND n.session = a.session
"""
"""Question for sessions: whether their name is a title, and whether they have messages."""

_NAME = """
INSERT INTO session_name (project, session, name, titled) VALUES (here(), %(session)s, %(name)s, %(titled)s)
ON CONFLICT (project, session) DO UPDATE SET name = excluded.name, titled = excluded.titled
"""
_PUT_POSITION = """
INSERT INTO transcript_position (project, source, position, origin)
VALUES (here(), %(source)s, %(position)s, %(origin)s)
ON CONFLICT (project, source) DO UPDATE SET position = excluded.position, origin = excluded.origin
"""
_DROP = "DELETE FROM {table} WHERE project = here() AND record = ANY(%(records)s::text[])"
_KEEP = """
INSERT INTO {table} (project, record, {column}, origin)
SELECT here(), record, said, %(origin)s
FROM unnest(%(records)s::text[], %(said)s::text[]) WITH ORDINALITY AS k (record, said, place) ORDER BY place
"""
_LIMIT_ENDS = """
DELETE FROM session_end WHERE project = here() AND place <= (
  SELECT place FROM session_end WHERE project = here() ORDER BY place DESC OFFSET %(most)s LIMIT 1)
"""


def questions(look: ConversationLook) -> Mapping[str, Mapping[str, object]]:
    """Return the questions of a look, with their values."""
    drafts = {draft.session for draft in look.drafts}
    bounds = {"characters": indexing.CONTEXT_CHARACTERS, "count": indexing.CONTEXT_OBSERVATIONS}
    return {
        LAST: {},
        BEFORE: {"sessions": list(drafts), **bounds},
        TITLES: {"records": list(look.records)},
    }


def facts(
    turn: Turn, look: ConversationLook, answers: Mapping[str, Sequence[Row]], *, last: bool = False
) -> ConversationFacts:
    """Return what a decision asked for, by the answers to `questions`. Erased names take another trip."""
    ((number,),) = answers[LAST]
    titles = answers[TITLES]
    said = {record: session for record, _, session, _ in titles if session is not None}
    ended = {record: session for record, _, _, session in titles if session is not None}
    sessions = {*(draft.session for draft in look.drafts), *look.sessions, *said.values(), *ended.values()}
    marked = {session_mark(each): each for each in sessions}
    records = {record_mark(record): record for record, *_ in titles}
    states, known = turn.answers(
        (SESSIONS, {"sessions": list(sessions)}), (KNOWN_MARKS, {"marks": [*marked, *records]}), last=last
    )
    erased = {mark for (mark,) in known}
    spoken = {session for session, _, has_messages in states if has_messages}
    return ConversationFacts(
        last=number,
        silent=frozenset(each for mark, each in marked.items() if mark in erased and each not in spoken),
        names={session: titled for session, titled, _ in states if titled is not None},
        waiting={record: title for record, title, *_ in titles if title is not None},
        said=said,
        ended=ended,
        gone=frozenset(record for mark, record in records.items() if mark in erased),
    )


def write(turn: Turn, change: Write, before: Mapping[str, Sequence[str]]) -> None:
    """Carry out a write of conversations.

    Args:
        turn: The transaction.
        change: The write.
        before: What sessions with new messages said last, nearest first.
    """
    match change:
        case AddMessages():
            message_rows.add(turn, change, before)
        case NameSession():
            turn.run(_NAME, session=change.session, name=change.name, titled=change.titled)
        case SetPosition():
            turn.run(_PUT_POSITION, source=change.source, position=change.position, origin=change.origin)
        case KeepEnds():
            _keep(turn, "session_end", "session", change.ends, change.origin)
            turn.run(_LIMIT_ENDS, most=change.most)
        case KeepTitles():
            _keep(turn, "waiting_title", "title", change.titles, change.origin)
        case DropTitles(None):
            turn.run("DELETE FROM waiting_title WHERE project = here()")
        case DropTitles(records) if records:
            turn.run(_DROP.format(table="waiting_title"), records=list(records))


def settle(turn: Turn) -> None:
    """Give titles whose records have met in a merge to their sessions."""
    look = ConversationLook()
    asked = questions(look)
    answers = dict(zip(asked, turn.answers(*asked.items()), strict=True))
    for change in settle_titles(facts(turn, look, answers)):
        write(turn, change, {})


def _keep(turn: Turn, table: str, column: str, said: Mapping[str, str], origin: str) -> None:
    if said:
        values = {"records": list(said), "said": list(said.values()), "origin": origin}
        turn.run(_DROP.format(table=table), **values)
        turn.run(_KEEP.format(table=table, column=column), **values)

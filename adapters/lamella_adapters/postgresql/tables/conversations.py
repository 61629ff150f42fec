"""Facts and writes of conversations: numbers, names, titles and positions."""

from collections.abc import Mapping, Sequence

from psycopg.types.json import Jsonb

from lamella.domain.search import indexing
from lamella.domain.text.marks import record_mark, session_mark
from lamella.domain.transactions import conversation_writes, plan
from lamella.domain.transactions.adding import ConversationFacts, ConversationLook, settle_titles
from lamella_adapters.postgresql.database.transaction import Question, Row, Transaction
from lamella_adapters.postgresql.tables import erased_rows, message_rows
from lamella_adapters.statements import statements

SQL = statements(__file__, spoken=message_rows.SPOKEN)


def questions(look: ConversationLook) -> Mapping[str, Question]:
    """Return the queries that read the facts requested by `look`, keyed by statement name."""
    drafts = {draft.session for draft in look.drafts}
    bounds = {"characters": indexing.CONTEXT_CHARACTERS, "count": indexing.CONTEXT_OBSERVATIONS}
    values: Mapping[str, Mapping[str, object]] = {
        "last_number": {},
        "before": {"sessions": list(drafts), **bounds},
        "titles": {"records": list(look.records)},
    }
    return {name: (SQL[name], asked) for name, asked in values.items()}


def facts(
    tx: Transaction, look: ConversationLook, answers: Mapping[str, Sequence[Row]], *, last: bool = False
) -> ConversationFacts:
    """Build the facts from the rows of `questions`. Looking up erased sessions takes another round trip."""
    ((number,),) = answers["last_number"]
    titles = answers["titles"]
    said = {record: session for record, _, session, _ in titles if session is not None}
    ended = {record: session for record, _, _, session in titles if session is not None}
    sessions = {*(draft.session for draft in look.drafts), *look.sessions, *said.values(), *ended.values()}
    marked = {session_mark(each): each for each in sessions}
    records = {record_mark(record): record for record, *_ in titles}
    states, known = tx.answers(
        (SQL["sessions"], {"sessions": list(sessions)}),
        (erased_rows.SQL["known"], {"marks": [*marked, *records]}),
        last=last,
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


def write(tx: Transaction, change: plan.Write, before: Mapping[str, Sequence[str]]) -> None:
    """Execute a write of a plan.

    Args:
        tx: Writing transaction on the project.
        change: The write.
        before: Latest texts of each session with new messages, nearest first.
    """
    match change:
        case conversation_writes.AddMessages():
            message_rows.add(tx, change, before)
        case conversation_writes.NameSession():
            tx.run(SQL["name_session"], session=change.session, name=change.name, titled=change.titled)
        case conversation_writes.SetPosition():
            tx.run(SQL["put_position"], source=change.source, position=change.position, origin=change.origin)
        case conversation_writes.KeepEnds():
            _keep(tx, "session_end", "session", change.ends, change.origin)
            tx.run(SQL["limit_ends"], most=change.most)
        case conversation_writes.KeepTitles():
            _keep(tx, "waiting_title", "title", change.titles, change.origin)
        case conversation_writes.KeepSummaries(session=session, level=level):
            for fingerprint, each in change.summaries.items():
                tx.run(
                    SQL["keep_summary"],
                    session=session,
                    level=level,
                    first=each.first,
                    last=each.last,
                    fingerprint=fingerprint,
                    sentences=Jsonb(each.sentences),
                    files=Jsonb(each.files),
                )
        case conversation_writes.DropTitles(None):
            tx.run("DELETE FROM waiting_title WHERE project = here()")
        case conversation_writes.DropTitles(records) if records:
            tx.run(SQL["drop"].format(table="waiting_title"), records=list(records))


def settle(tx: Transaction) -> None:
    """Assign titles to sessions after a merge. A title waits until the record that it names is stored."""
    look = ConversationLook()
    asked = questions(look)
    answers = dict(zip(asked, tx.answers(*asked.values()), strict=True))
    for change in settle_titles(facts(tx, look, answers)):
        write(tx, change, {})


def _keep(tx: Transaction, table: str, column: str, said: Mapping[str, str], origin: str) -> None:
    if said:
        values = {"records": list(said), "said": list(said.values()), "origin": origin}
        tx.run(SQL["drop"].format(table=table), **values)
        tx.run(SQL["keep"].format(table=table, column=column), **values)

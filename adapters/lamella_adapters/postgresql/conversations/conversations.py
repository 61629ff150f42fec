"""Conversations of one project."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from attrs import define

from lamella.domain.conversations.message import MessageDraft, Role, Session
from lamella.domain.conversations.query import YEAR, YEARLY_DISCOUNT, MessageHit, MessageQuery, recency
from lamella.domain.search import indexing
from lamella.domain.text.printing import stored_key
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.fts5.plan import planned
from lamella_adapters.postgresql.database.columns import from_microseconds, maybe_microseconds, to_microseconds
from lamella_adapters.postgresql.database.database import Scope
from lamella_adapters.postgresql.search.ranking import MORE, SPARE, Ranking, Rows, enough
from lamella_adapters.postgresql.search.vocabulary import Terms, asked_of
from lamella_adapters.postgresql.tables import message_rows as rows
from lamella_adapters.postgresql.tables.index import MESSAGES
from lamella_adapters.postgresql.tables.message_rows import COLUMNS, NAMED, message, name_of
from lamella_adapters.postgresql.transaction import InTransactions
from lamella_adapters.statements import statements

SQL = statements(
    __file__,
    columns=rows.COLUMNS,
    named=rows.NAMED,
    discount=YEARLY_DISCOUNT,
    year=YEAR // timedelta(microseconds=1),
)


def find_messages(scope: Scope, query: MessageQuery) -> tuple[MessageHit, ...]:
    """See `Conversations.find`."""
    asked = query.limit + SPARE
    while (hits := _attempt(scope, query, asked)) is None:
        asked *= MORE
    return hits


def _attempt(scope: Scope, query: MessageQuery, asked: int) -> tuple[MessageHit, ...] | None:
    tokens, phrases = asked_of(query.words)
    given = {
        "since": maybe_microseconds(query.filters.since),
        "until": maybe_microseconds(query.filters.until),
        "session": query.filters.session,
    }
    values: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    rows = Rows(
        table="message",
        key="number",
        columns=f"{COLUMNS}, o.sub, {NAMED}",
        factor=SQL["recency"],
        conditions="".join(SQL[name] for name in values),
        values={**values, "now": to_microseconds(query.now)},
    )
    with scope.reading() as tx:
        terms = Terms(tx, MESSAGES)
        terms.know(tokens, tx.answers(*terms.questions(tokens, phrases)))
        terms.prepare(query.words)
        ranking = Ranking(planned(query.words, terms), terms, rows)
        candidates = ranking.candidates(tx.answers(ranking.question(asked), last=True)[0])
    hits = []
    for each in candidates:
        said, (hidden_forms, given_name, request) = message(each.row), each.row[6:9]
        others = (indexing.message_heading(said.role, said.at), hidden_forms)
        name, score = name_of(said.session, given_name, request), each.by_words * recency(said.at, query.now)
        hits.append(ranking.plan.message_hit(said, others, session_name=name, score=score))
    hits.sort(key=lambda hit: (-hit.score, -hit.message.number))
    if not enough([hit.score for hit in hits], candidates, limit=query.limit, asked=asked):
        return None
    return tuple(hits[: query.limit])


_COUNT = "count(*) FILTER (WHERE at >= {at})"


@define(eq=False)
class PostgresConversations(InTransactions, Conversations):
    """Messages and sessions of one project."""

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        asked = None if id is None else stored_key(id)
        with self.scope.reading() as tx:
            return tuple(map(rows.session, tx.rows(SQL["sessions"], session=asked, last=True)))

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as tx:
            found = tx.rows(SQL["page"], after=after, limit=limit, last=True)
        return {
            number: MessageDraft(
                key=key, session=session, role=Role(role), text=text, at=from_microseconds(at), client=client
            )
            for number, session, role, text, at, client, key in found
        }

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        if not since:
            return ()
        counts = ", ".join(_COUNT.format(at=to_microseconds(time)) for time in since)
        with self.scope.reading() as tx:
            (row,) = tx.rows(SQL["counts"].format(counts=counts), last=True)
        return row

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        return find_messages(self.scope, query)

"""Search in the messages of one project."""

from datetime import timedelta

from lamella.domain.conversations.query import YEAR, YEARLY_DISCOUNT, MessageHit, MessageQuery, recency
from lamella.domain.search import indexing
from lamella_adapters.fts5.plan import planned
from lamella_adapters.postgresql.database.columns import maybe_microseconds, to_microseconds
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.search.ranking import MORE, SPARE, Ranking, Rows, enough
from lamella_adapters.postgresql.search.vocabulary import Terms, asked_of
from lamella_adapters.postgresql.tables.index import MESSAGES
from lamella_adapters.postgresql.tables.message_rows import COLUMNS, NAMED, message, name_of
from lamella_adapters.statements import statements

SQL = statements(__file__, discount=YEARLY_DISCOUNT, year=YEAR // timedelta(microseconds=1))


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

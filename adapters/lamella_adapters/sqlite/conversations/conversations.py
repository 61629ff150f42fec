"""Conversations of one project, in its file."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from attrs import define

from lamella.domain.conversations.message import MessageDraft, Session
from lamella.domain.conversations.query import YEAR, YEARLY_DISCOUNT, MessageHit, MessageQuery
from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.ports.storage.conversations import Conversations
from lamella_adapters.fts5.plan import planned
from lamella_adapters.sqlite.projects.scope import Opened
from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX
from lamella_adapters.sqlite.search.ranking import Factor, Ranking
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.conversations import message_rows
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.sqlite.tables.term_statistics import SearchIndex
from lamella_adapters.sqlite.transaction import InTransactions

_COUNT = "SELECT count(*) FROM message WHERE at >= ?"
_WEIGHTS = COLUMN_WEIGHTS[1:]
"""Weights of the index's columns. Messages have no titles."""

# Only constants of this module are formatted into SQL; values are always bound. The subquery runs once, and reads
# the numbers of all messages that pass the filters from an index. That is six times as fast as reading the row of
# each hit. Without the `+`, FTS5 would read its posting lists again for each number.
_PASSING = f" AND +{MESSAGE_INDEX}.rowid IN (SELECT number FROM message WHERE {{conditions}})"  # noqa: S608 - made of our own constants
_CONDITIONS = {"since": "at >= :since", "until": "at < :until", "session": "session = :session"}
# The formula of `lamella.domain.conversations.query.recency`, with the same operations in the same order, so that
# the results are equal to the last digit.
_RECENCY = "1.0 / (1.0 + :discount * (max(0, :now - at) * 1.0 / :year))"
_OF_ROW = f"(SELECT {_RECENCY} FROM message INDEXED BY message_time WHERE number = ranked.seq)"  # noqa: S608 - made of our own constants
# Because only `max(at)` is selected, SQLite reads only the last entry of the index.
_HIGHEST = f"SELECT {_RECENCY} FROM (SELECT max(at) AS at FROM message)"  # noqa: S608 - made of our own constants


@define(eq=False)
class SqliteConversations(InTransactions, Conversations):
    """Messages and sessions of one project."""

    def sessions(self, id: str | None = None) -> tuple[Session, ...]:
        """See `Conversations.sessions`."""
        with self.scope.reading() as opened:
            return message_rows.sessions(opened.connection, id)

    def page(self, *, after: int = 0, limit: int) -> Mapping[int, MessageDraft]:
        """See `Conversations.page`."""
        with self.scope.reading() as opened:
            return message_rows.drafts(opened.connection, after, limit)

    def counts(self, *, since: Sequence[datetime]) -> tuple[int, ...]:
        """See `Conversations.counts`."""
        with self.scope.reading() as opened:
            return tuple(opened.connection.execute(_COUNT, (to_microseconds(time),)).get for time in since)

    def find(self, query: MessageQuery) -> tuple[MessageHit, ...]:
        """See `Conversations.find`."""
        with self.scope.reading() as opened:
            return find_messages(opened, query)


def find_messages(opened: Opened, query: MessageQuery) -> tuple[MessageHit, ...]:
    """See `Conversations.find`."""
    connection, ranking = opened.connection, _ranking(opened, query)
    plan = planned(query.words, ranking.index)
    ranked = ranking.best(plan.terms, query.limit)
    numbers = [number for number, _ in ranked]
    found = {each.number: each for each in message_rows.messages(connection, numbers)}
    texts = message_rows.indexed_beside(connection, numbers)
    sessions = {each.session for each in found.values()}
    names = {session: message_rows.name_of(connection, session) for session in sessions}
    return tuple(
        plan.message_hit(found[each], texts[each], session_name=names[found[each].session], score=score)
        for each, score in ranked
    )


def _ranking(opened: Opened, query: MessageQuery) -> Ranking:
    values: dict[str, object] = {}
    if query.filters.since is not None:
        values["since"] = observation_rows.to_microseconds(query.filters.since)
    if query.filters.until is not None:
        values["until"] = observation_rows.to_microseconds(query.filters.until)
    if query.filters.session is not None:
        values["session"] = query.filters.session
    conditions = " AND ".join(_CONDITIONS[name] for name in values)
    spoken, changes = opened.connection.execute("SELECT spoken, changes FROM message_statistics").get
    ageing = {
        "now": observation_rows.to_microseconds(query.now),
        "discount": YEARLY_DISCOUNT,
        "year": YEAR // timedelta(microseconds=1),
    }
    highest: float | None = opened.connection.execute(_HIGHEST, ageing).get
    return Ranking(
        index=SearchIndex(
            connection=opened.connection, terms=opened.file.terms[MESSAGE_INDEX], rows=spoken, changes=changes
        ),
        weights=_WEIGHTS,
        passing=_PASSING.format(conditions=conditions) if conditions else "",
        factor=Factor(of_row=_OF_ROW, highest=highest or 1.0),
        values={**values, **ageing},
    )

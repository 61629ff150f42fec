"""Search in a project's file: BM25 by FTS5, and plain look-ups."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.memories.observation import Kind, Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.domain.memories.timeline import Surroundings
from lamella.domain.search import indexing
from lamella.domain.search.weights import COLUMN_WEIGHTS
from lamella.domain.text.printing import canonical
from lamella.domain.text.words import Word, query_words
from lamella.ports.storage.search import ObservationSearch
from lamella_adapters.fts5 import bm25
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.projects.scope import Opened, Scope
from lamella_adapters.sqlite.search import filter_conditions
from lamella_adapters.sqlite.search.around import around
from lamella_adapters.sqlite.search.ranking import Ranking
from lamella_adapters.sqlite.search.score_rows import RowScores
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics

# Every statement is put together from constants of this module; values are always bound.
_PASSING = " AND EXISTS (SELECT 1 FROM observation AS o WHERE o.seq = {index}.rowid{conditions})"
_NEWEST = observation_rows.SELECT + " AS o WHERE {seen}{conditions} ORDER BY moment DESC, seq DESC LIMIT :limit"
_THESE = f"SELECT {observation_rows.COLUMNS}, sub FROM observation WHERE seq IN (SELECT value FROM json_each(?))"  # noqa: S608 - made of our own constants
_NEIGHBOURS = (
    observation_rows.SELECT
    + """ WHERE {session}(:purged OR purged_at IS NULL) AND (moment, seq) {before_or_after} (:moment, :seq)
  ORDER BY moment {way}, seq {way} LIMIT :limit"""
)
_KINDS = "SELECT kind, count(*) FROM observation WHERE purged_at {seen}{begun} GROUP BY kind"
_WAYS = (("<", "DESC"), (">", "ASC"))
# Two statements: with "any session or this one" in a single one SQLite could not use the index of sessions.
_AROUND = {
    in_session: tuple(
        _NEIGHBOURS.format(session="session = :session AND " * in_session, before_or_after=sign, way=way)
        for sign, way in _WAYS
    )
    for in_session in (False, True)
}


@define(eq=False)
class SqliteSearch(ObservationSearch):
    """Search in the memories of one project."""

    scope: Scope

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        with self.scope.reading() as opened:
            match query.selector:
                case ByText(text):
                    return _by_text(opened, text, query)
                case selector:
                    return _newest(opened, selector, query)

    def rarities(self, words: Sequence[str]) -> tuple[float, ...]:
        """See `ObservationSearch.rarities`."""
        with self.scope.reading() as opened:
            live, changes = _live_and_changes(opened.connection)

            def hits(token: str) -> int:
                phrase = bm25.Phrase(token, (token,))
                return opened.file.live_terms.count(opened.connection, phrase, changes).hits

            return tuple(bm25.rarity(word, hits, live) for word in words)

    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Observation, ...]:
        """See `ObservationSearch.neighbourhood`."""
        with self.scope.reading() as opened:
            here = opened.connection.execute(observation_rows.SELECT + " WHERE id = ?", (id.bytes,)).fetchall()
            if not here:
                raise ObservationNotFoundError(id=str(id))
            (centre,) = observation_rows.observations(opened.connection, opened.project, here)
            place = {
                "session": centre.session,
                "moment": observation_rows.to_microseconds(centre.occurred_at),
                "seq": centre.sequence,
                "purged": include_purged,
                "limit": each_side,
            }
            before, after = (
                fetch(opened.connection, statement, place) for statement in _AROUND[centre.session is not None]
            )
            found = [*reversed(before), *here, *after]
            return observation_rows.observations(opened.connection, opened.project, found)

    def around(
        self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
    ) -> Surroundings:
        """See `ObservationSearch.around`."""
        with self.scope.reading() as opened:
            return around(opened, anchor, before=before, after=after, session=session)

    def count(self, *, include_purged: bool = False) -> int:
        """See `ObservationSearch.count`."""
        with self.scope.reading() as opened:
            live, _ = _live_and_changes(opened.connection)
            return live + (_purged(opened.connection) if include_purged else 0)

    def kinds(self, *, since: datetime | None = None, purged: bool = False) -> Mapping[Kind, int]:
        """See `ObservationSearch.kinds`."""
        statement = _KINDS.format(
            seen="IS NOT NULL" if purged else "IS NULL", begun="" if since is None else " AND moment >= ?"
        )
        begun = () if since is None else (observation_rows.to_microseconds(since),)
        with self.scope.reading() as opened:
            return {Kind(kind): count for kind, count in fetch(opened.connection, statement, begun)}


def _newest(opened: Opened, selector: ByTitle | Recent, query: RecallQuery) -> tuple[Hit, ...]:
    seen = "TRUE" if query.include_purged else "purged_at IS NULL"
    conditions, values = filter_conditions.conditions(query.filters)
    match = Match.RECENT
    if isinstance(selector, ByTitle):
        match = Match.TITLE
        conditions += " AND instr(title_key, :part)"
        values["part"] = canonical(selector.part)
    statement = _NEWEST.format(seen=seen, conditions=conditions)
    found = fetch(opened.connection, statement, {**values, "limit": query.limit})
    observations = observation_rows.observations(opened.connection, opened.project, found)
    return tuple(Hit(observation=each, match=match) for each in observations)


def _by_text(opened: Opened, text: str, query: RecallQuery) -> tuple[Hit, ...]:
    words = query_words(text)
    phrases = bm25.phrases(words)
    rank = _ranking if query.filters.ids is None else _row_scores
    ranked = rank(opened, query.filters, purged=False).best(phrases, query.limit)
    if query.include_purged and len(ranked) < query.limit:
        ranked += rank(opened, query.filters, purged=True).best(phrases, query.limit - len(ranked))
    return tuple(_hits(opened, words, ranked))


def _ranking(opened: Opened, filters: Filters, *, purged: bool) -> Ranking:
    conditions, values = filter_conditions.conditions(filters)
    terms, rows, changes = _index(opened, purged=purged)
    return Ranking(
        connection=opened.connection,
        terms=terms,
        weights=COLUMN_WEIGHTS,
        rows=rows,
        changes=changes,
        passing=_PASSING.format(index=terms.index, conditions=conditions) if conditions else "",
        values=values,
    )


def _row_scores(opened: Opened, filters: Filters, *, purged: bool) -> RowScores:
    conditions, values = filter_conditions.conditions(filters)
    terms, rows, changes = _index(opened, purged=purged)
    return RowScores(
        connection=opened.connection,
        terms=terms,
        rows=rows,
        changes=changes,
        seen="o.purged_at IS NOT NULL" if purged else "o.purged_at IS NULL",
        conditions=conditions,
        values=values,
    )


def _index(opened: Opened, *, purged: bool) -> tuple[TermStatistics, int, int]:
    """Return the index of live or of purged rows, the number of its rows, and of changes that it has seen."""
    live, changes = _live_and_changes(opened.connection)
    if purged:
        return opened.file.purged_terms, _purged(opened.connection), changes
    return opened.file.live_terms, live, changes


def _hits(opened: Opened, words: Sequence[Word], ranked: Sequence[tuple[int, float]]) -> Iterable[Hit]:
    asked = json.dumps([sequence for sequence, _ in ranked])
    found = {row[0]: (row, sub) for *row, sub in fetch(opened.connection, _THESE, (asked,))}
    if len(found) < len(ranked):
        raise damaged()  # the index has a row that does not exist
    rows = [found[each][0] for each, _ in ranked]
    observations = observation_rows.observations(opened.connection, opened.project, rows)
    for observation, (sequence, score) in zip(observations, ranked, strict=True):
        heading, (_, sub) = indexing.heading(observation), found[sequence]
        match, spans = bm25.explain(words, observation.content, (observation.title, sub, heading))
        yield Hit(observation=observation, match=match, score=score, spans=spans)


def _live_and_changes(connection: apsw.Connection) -> tuple[int, int]:
    counts: tuple[int, int] = connection.execute("SELECT live, changes FROM statistics").get
    return counts


def _purged(connection: apsw.Connection) -> int:
    purged: int = connection.execute("SELECT count(*) FROM observation WHERE purged_at IS NOT NULL").get
    return purged

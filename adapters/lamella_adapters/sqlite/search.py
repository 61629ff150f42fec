"""Search in a project's file: BM25 by FTS5, and the plain look-ups."""

import json
from collections.abc import Iterable, Sequence
from uuid import UUID

import apsw
from attrs import define, frozen

from lamella.domain import analysis
from lamella.domain.errors import ObservationNotFoundError
from lamella.domain.observation import Observation
from lamella.domain.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.domain.text import canonical, well_formed
from lamella.ports.search import ObservationSearch
from lamella_adapters import ranking
from lamella_adapters.sqlite import rows
from lamella_adapters.sqlite.connection import fetch
from lamella_adapters.sqlite.scope import Opened, Scope
from lamella_adapters.sqlite.statistics import TermStatistics, quoted

_WEIGHTS = ", ".join(map(str, analysis.COLUMN_WEIGHTS))

# Every statement is put together from constants of this module; values are always bound.
# ORDER BY bm25() in a subquery costs half of ORDER BY rank. FTS5 gives better rows lower scores.
_RANK = """
SELECT seq, score FROM (
  SELECT rowid AS seq, bm25({index}, {weights}) AS score FROM {index} WHERE {index} MATCH :match{filter}
) ORDER BY score, seq DESC LIMIT :limit
"""
_PASSING = " AND EXISTS (SELECT 1 FROM observation AS o WHERE o.seq = {index}.rowid{conditions})"
_NEWEST = rows.SELECT + " AS o WHERE {seen}{conditions} ORDER BY moment DESC, seq DESC LIMIT :limit"
_CONDITIONS = {
    "since": " AND o.moment >= :since",
    "session": " AND o.session = :session",
    "path": """ AND EXISTS (SELECT 1 FROM code_change AS c WHERE c.seq = o.seq
      AND (:path = '.' OR c.path = :path OR (c.path >= :path || '/' AND c.path < :path || '0')))""",
}
_THESE = f"{rows.SELECT} WHERE seq IN (SELECT value FROM json_each(?))"  # noqa: S608
_SUBS = "SELECT seq, sub FROM observation WHERE seq IN (SELECT value FROM json_each(?))"
_NEIGHBOURS = (
    rows.SELECT
    + """ WHERE {session}(:purged OR purged_at IS NULL) AND (moment, seq) {before_or_after} (:moment, :seq)
  ORDER BY moment {way}, seq {way} LIMIT :limit"""
)
_WAYS = (("<", "DESC"), (">", "ASC"))
# With "any session or this one" in one statement SQLite could not use the index of sessions.
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

    def neighbourhood(self, id: UUID, *, each_side: int, include_purged: bool = False) -> tuple[Observation, ...]:
        """See `ObservationSearch.neighbourhood`."""
        with self.scope.reading() as opened:
            here = opened.connection.execute(rows.SELECT + " WHERE id = ?", (id.bytes,)).fetchall()
            if not here:
                raise ObservationNotFoundError(id=str(id))
            (centre,) = rows.observations(opened.connection, opened.project, here)
            place = {
                "session": centre.session,
                "moment": rows.to_microseconds(centre.moment),
                "seq": centre.sequence,
                "purged": include_purged,
                "limit": each_side,
            }
            before, after = (
                fetch(opened.connection, statement, place) for statement in _AROUND[centre.session is not None]
            )
            return rows.observations(opened.connection, opened.project, [*reversed(before), *here, *after])

    def count(self, *, include_purged: bool = False) -> int:
        """See `ObservationSearch.count`."""
        with self.scope.reading() as opened:
            return _live(opened.connection) + (_purged(opened.connection) if include_purged else 0)


def _newest(opened: Opened, selector: ByTitle | Recent, query: RecallQuery) -> tuple[Hit, ...]:
    seen = "TRUE" if query.include_purged else "purged_at IS NULL"
    conditions, values = _conditions(query.filters)
    match = Match.RECENT
    if isinstance(selector, ByTitle):
        match = Match.TITLE
        conditions += " AND instr(title_key, :part)"
        values["part"] = canonical(selector.part)
    statement = _NEWEST.format(seen=seen, conditions=conditions)
    found = fetch(opened.connection, statement, {**values, "limit": query.limit})
    observations = rows.observations(opened.connection, opened.project, found)
    return tuple(Hit(observation=each, match=match) for each in observations)


def _by_text(opened: Opened, text: str, query: RecallQuery) -> tuple[Hit, ...]:
    words = analysis.query_words(text)
    phrases = ranking.phrases(words)
    live = _live(opened.connection)
    ranked = _Ranking(opened.connection, opened.file.live_terms, live, query.filters).best(phrases, query.limit)
    if query.include_purged and len(ranked) < query.limit:
        purged = _purged(opened.connection)
        follow = _Ranking(opened.connection, opened.file.purged_terms, purged, query.filters)
        ranked += follow.best(phrases, query.limit - len(ranked))
    return tuple(_hits(opened, words, ranked))


def _hits(opened: Opened, words: Sequence[analysis.Word], ranked: Sequence[tuple[int, float]]) -> Iterable[Hit]:
    asked = json.dumps([sequence for sequence, _ in ranked])
    found = {row[0]: row for row in fetch(opened.connection, _THESE, (asked,))}
    subs = dict(fetch(opened.connection, _SUBS, (asked,)))
    observations = rows.observations(opened.connection, opened.project, [found[each] for each, _ in ranked])
    for observation, (sequence, score) in zip(observations, ranked, strict=True):
        match, spans = ranking.explain(
            words, observation.title, observation.content, subs[sequence], analysis.heading(observation)
        )
        yield Hit(observation=observation, match=match, score=score, spans=spans)


@frozen
class _Ranking:
    """The best rows of one index for a query, found with as little reading as possible.

    Terms in few rows are essential. No row without one can score more than the other terms' highest scores
    together; where the best rows with an essential term beat that, the rest need not be looked at. Otherwise as
    many terms become essential as it takes, so that the answer is always the whole query's (the idea of MaxScore:
    Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
    """

    connection: apsw.Connection
    terms: TermStatistics
    rows: int
    filters: Filters

    def best(self, phrases: Sequence[ranking.Phrase], limit: int) -> list[tuple[int, float]]:
        """Sequence numbers and scores, best first, equal scores the later saved first."""
        changes: int = self.connection.execute("SELECT changes FROM statistics").get
        counted = {phrase: self.terms.count(self.connection, phrase, changes) for phrase in phrases}
        present = ranking.terms(phrases, lambda phrase: counted[phrase].hits, self.rows)
        highest = [ranking.highest_score(counted[phrase].at_least, self.rows) for phrase in present]
        essential = sum(ranking.essential(counted[phrase].hits, self.rows) for phrase in present) or 1
        while present:
            best = self._with_any(present[:essential], present[essential:], limit)
            least = best[-1][1] if len(best) == limit else 0
            enough = next(n for n in range(len(present) + 1) if sum(highest[n:]) <= least)
            if enough <= essential:
                return best
            essential = enough
        return []

    def _with_any(
        self, essential: Sequence[ranking.Phrase], others: Sequence[ranking.Phrase], limit: int
    ) -> list[tuple[int, float]]:
        """The best rows that contain an essential term, with the scores that all terms give them."""
        scores = dict(self._run(_any(essential), limit))
        if others:
            scores |= self._run(f"({_any(essential)}) AND ({_any(others)})", limit)
        return sorted(scores.items(), key=lambda each: (-each[1], -each[0]))[:limit]

    def _run(self, match: str, limit: int) -> list[tuple[int, float]]:
        conditions, values = _conditions(self.filters)
        index = self.terms.index
        passing = _PASSING.format(index=index, conditions=conditions) if conditions else ""
        statement = _RANK.format(index=index, weights=_WEIGHTS, filter=passing)
        found = self.connection.execute(statement, {**values, "match": match, "limit": limit})
        return [(sequence, -score) for sequence, score in found]


def _any(phrases: Iterable[ranking.Phrase]) -> str:
    return " OR ".join(map(quoted, phrases))


def _conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    values: dict[str, object] = {}
    if filters.since is not None:
        values["since"] = rows.to_microseconds(filters.since)
    if filters.session is not None:
        values["session"] = well_formed(filters.session)
    if filters.path is not None:
        values["path"] = well_formed(filters.path)
    return "".join(_CONDITIONS[name] for name in values), values


def _live(connection: apsw.Connection) -> int:
    live: int = connection.execute("SELECT live FROM statistics").get
    return live


def _purged(connection: apsw.Connection) -> int:
    purged: int = connection.execute("SELECT count(*) FROM observation WHERE purged_at IS NOT NULL").get
    return purged

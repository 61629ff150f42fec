"""Search in the memories of one project."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import accumulate
from uuid import UUID

from attrs import define

from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.kind import LEARNED
from lamella.domain.memories.observation import Kind
from lamella.domain.memories.query import ByText, ByTitle, Hit, Match, RecallQuery, Recent
from lamella.domain.memories.timeline import Neighbours, TimelineQuery
from lamella.domain.search import indexing
from lamella.domain.search.weights import CAPTURED_WEIGHT, kind_weight
from lamella.domain.text.printing import canonical
from lamella.domain.text.words import Word
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella_adapters.fts5.plan import Plan, planned
from lamella_adapters.postgresql.database.columns import storable, to_microseconds
from lamella_adapters.postgresql.database.database import Scope
from lamella_adapters.postgresql.database.transaction import Question, Transaction
from lamella_adapters.postgresql.search import filter_conditions
from lamella_adapters.postgresql.search.ranking import MORE, SPARE, Candidate, Ranking, Rows, enough
from lamella_adapters.postgresql.search.vocabulary import Terms, asked_of
from lamella_adapters.postgresql.tables import observation_rows
from lamella_adapters.postgresql.tables.index import LIVE, PURGED
from lamella_adapters.statements import statements

SQL = statements(__file__, captured=CAPTURED_WEIGHT, learned=LEARNED)
_WAYS = (("<", "DESC"), (">", "ASC"))
_AFTER_ALL_OF_THAT_TIME = 2**63 - 1


def around(tx: Transaction, query: TimelineQuery) -> Neighbours:
    """See `ObservationSearch.around`."""
    anchor = query.anchor
    place = SQL["at_id" if isinstance(anchor, UUID) else "at_time"]
    asked = {
        "id": anchor,
        "moment": to_microseconds(anchor) if isinstance(anchor, datetime) else 0,
        "seq": _AFTER_ALL_OF_THAT_TIME,
        "session": query.session,
        "purged": query.include_purged,
    }
    questions: list[Question] = (
        [(observation_rows.SELECT + SQL["centre"], asked)] if isinstance(anchor, UUID) else []
    )
    for (beyond, way), limit in zip(_WAYS, (query.before, query.after), strict=True):
        side, order = SQL["side"].format(beyond=beyond, place=place), SQL["order"].format(way=way)
        questions.append((observation_rows.SELECT + side + order, {**asked, "limit": limit}))
        questions.append((SQL["total"] + side, asked))
    *centre, earlier, total_before, later, total_after = tx.answers(*questions, last=True)
    if [] in centre:
        raise ObservationNotFoundError(id=str(anchor))
    before, after = (
        tuple(observation_rows.hit(tx.project, row, Match.NEIGHBOUR) for row in side)
        for side in (earlier[::-1], later)
    )
    return Neighbours(
        before=before,
        centre=observation_rows.hit(tx.project, centre[0][0], Match.ID) if centre else None,
        after=after,
        total_before=int(total_before[0][0]),
        total_after=int(total_after[0][0]),
    )


_COLUMNS = f"{observation_rows.COLUMNS}, {observation_rows.BESIDE}, o.sub"


@define(eq=False)
class PostgresSearch(ObservationSearch):
    """Search in the memories of one project."""

    scope: Scope

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        match query.selector:
            case ByText() as asked:
                return self._by_text(asked.words, query)
            case selector:
                return self._newest(selector, query)

    def count_found(self, query: RecallQuery) -> int:
        """See `ObservationSearch.count_found`."""
        if isinstance(query.selector, ByText):
            return super().count_found(query)
        conditions, values = _plain(query.selector, query)
        with self.scope.reading() as tx:
            ((counted,),) = tx.rows(SQL["counted"].format(conditions=conditions), **values, last=True)
            return int(counted)

    def around(self, query: TimelineQuery) -> Neighbours:
        """See `ObservationSearch.around`."""
        with self.scope.reading() as tx:
            return around(tx, query)

    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        """See `ObservationSearch.kinds`."""
        moments = sorted(map(to_microseconds, since))
        with self.scope.reading() as tx:
            rows = tx.rows(SQL["kinds"], since=moments, last=True)
        # Each row is in the bucket of the latest moment that isn't after the row's time. The row counts for this
        # moment and for all earlier moments.
        live, purged, later = Counter[Kind](), Counter[Kind](), [Counter[Kind]() for _ in range(len(moments) + 1)]
        for kind, gone, bucket, count in rows:
            (purged if gone else live)[Kind(kind)] += count
            later[bucket][Kind(kind)] += 0 if gone else count
        running = [*accumulate(reversed(later))][::-1]
        return KindCounts(
            live=live,
            purged=purged,
            since=tuple(+running[bisect_right(moments, to_microseconds(time))] for time in since),
        )

    def _newest(self, selector: ByTitle | Recent, query: RecallQuery) -> tuple[Hit, ...]:
        conditions, values = _plain(selector, query)
        match = Match.TITLE if isinstance(selector, ByTitle) else Match.RECENT
        with self.scope.reading() as tx:
            rows = tx.rows(observation_rows.SELECT + conditions + SQL["newest"], **values, last=True)
            return tuple(observation_rows.hit(tx.project, row, match) for row in rows)

    def _by_text(self, words: Sequence[Word], query: RecallQuery) -> tuple[Hit, ...]:
        """Return the best hits. Retry with more candidates until there are enough."""
        asked = query.limit + SPARE
        hits = self._attempt(words, query, asked, rare_first=True)
        while hits is None:
            hits = self._attempt(words, query, asked)
            asked *= MORE
        return hits

    def _attempt(
        self, words: Sequence[Word], query: RecallQuery, asked: int, *, rare_first: bool = False
    ) -> tuple[Hit, ...] | None:
        tokens, phrases = asked_of(words)
        conditions, values = filter_conditions.conditions(query.filters)
        rows = Rows(
            table="observation",
            key="seq",
            columns=_COLUMNS,
            factor=SQL["factor"],
            conditions=conditions,
            among=SQL["among"] if "ids" in values else "",
            values=values,
        )
        parts = (LIVE, PURGED) if query.include_purged else (LIVE,)
        with self.scope.reading() as tx:
            every = [Terms(tx, part) for part in parts]
            answers = tx.answers(*(each for terms in every for each in terms.questions(tokens, phrases)))
            rankings = []
            for place, terms in enumerate(every):
                terms.know(tokens, answers[3 * place : 3 * place + 3])
                terms.prepare(words)
                ranking = Ranking(planned(words, terms), terms, rows)
                rankings.append(ranking.by_rare_terms(asked) if rare_first else ranking)
            found = tx.answers(*(ranking.question(asked) for ranking in rankings), last=True)
        hits: list[Hit] = []
        for ranking, answer in zip(rankings, found, strict=True):
            candidates = ranking.candidates(answer)
            wanted = query.limit - len(hits)
            own = _hits(tx, ranking.plan, candidates, wanted)
            scores = [hit.score or 0 for hit in own]
            if wanted and not enough(scores, candidates, limit=wanted, asked=asked, missed=ranking.missed):
                return None
            hits += own
        return tuple(hits)


def _plain(selector: ByTitle | Recent, query: RecallQuery) -> tuple[str, dict[str, object]]:
    """Return the SQL conditions of a query without words, and the values of their placeholders."""
    conditions, values = filter_conditions.conditions(query.filters)
    if isinstance(selector, ByTitle):
        part = canonical(selector.part)
        conditions += SQL["title"] if storable(part) else " AND false"
        values |= {"part": part} if storable(part) else {}
    elif query.filters.path is None:
        conditions += SQL["not_learned"]
    if not query.include_purged:
        conditions += " AND o.purged_at IS NULL"
    return conditions, {**values, "limit": query.limit}


def _hits(tx: Transaction, plan: Plan, candidates: Iterable[Candidate], limit: int) -> list[Hit]:
    """Return the best rows that match by their own words; context alone doesn't qualify a row.

    Finding the matched words is slow, so stop after `limit` hits.
    """
    kind, sequence = observation_rows.KIND, observation_rows.SEQUENCE
    ranked = sorted(
        ((each.by_words * kind_weight(each.row[kind]), each.row[sequence], each.row) for each in candidates),
        key=lambda found: (-found[0], -found[1]),
    )
    hits: list[Hit] = []
    for score, _, row in ranked:
        if len(hits) == limit:
            break
        said = observation_rows.observation(tx.project, row)
        others = said.title, row[-1], indexing.heading(said)
        hit = plan.hit(said, others, short_id=observation_rows.short_id(row), score=score)
        hits += [hit] if hit else []
    return hits

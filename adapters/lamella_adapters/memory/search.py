"""Search through all observations of one project."""

from collections.abc import Sequence
from datetime import datetime

from attrs import define

from lamella.domain.memories.filtering import passes
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.domain.memories.timeline import Neighbours, TimelineQuery
from lamella.domain.search import indexing
from lamella.domain.search.weights import kind_weight
from lamella.domain.text.printing import canonical
from lamella.domain.text.words import Word
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella_adapters.fts5.scores import Rows
from lamella_adapters.memory.observations import InMemoryObservations


@define(eq=False)
class InMemorySearch(ObservationSearch):
    """Exact BM25 search in the rows of one project."""

    observations: InMemoryObservations

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        """See `ObservationSearch.find`."""
        with self.observations.lock:
            newest_first = list(reversed(self.observations.in_order()))
            live = [each for each in newest_first if not each.purged]
            purged = [each for each in newest_first if each.purged] if query.include_purged else []
            match query.selector:
                case ByText() as asked:
                    ranked = (self._ranked(asked.words, rows, query.filters) for rows in (live, purged))
                    hits = [hit for found in ranked for hit in found]
                case selector:
                    hits = self._plain(selector, newest_first if query.include_purged else live, query.filters)
        return tuple(hits[: query.limit])

    def around(self, query: TimelineQuery) -> Neighbours:
        """See `ObservationSearch.around`."""
        with self.observations.lock:
            return Neighbours.of(self.observations.in_order(), query, self.observations.hits)

    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        """See `ObservationSearch.kinds`."""
        return KindCounts.of(self.observations.in_order(), since)

    def _ranked(self, words: Sequence[Word], candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        """Return the hits for `words` among those `candidates` that pass `filters`.

        Scores are based on statistics of all candidates.
        """
        texts = {each.id: self.observations.indexed(each) for each in candidates}
        plan, scored = Rows.of({id: text.columns for id, text in texts.items()}).ranked(words)
        short_ids = self.observations.short_ids(scored)
        hits = []
        for each in candidates:
            if each.id in scored and passes(each, filters):
                others = (each.title, texts[each.id].hidden_forms, indexing.heading(each))
                score = scored[each.id] * kind_weight(each.kind)
                hit = plan.hit(each, others, short_id=short_ids[each.id], score=score)
                hits += [hit] if hit else []
        return sorted(hits, key=lambda hit: (-(hit.score or 0), -hit.observation.sequence))

    def _plain(self, search: ByTitle | Recent, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        match = Match.TITLE if isinstance(search, ByTitle) else Match.RECENT
        part = canonical(search.part) if isinstance(search, ByTitle) else ""
        asked = match is Match.TITLE or filters.path is not None
        found = [
            each
            for each in candidates
            if passes(each, filters) and part in canonical(each.title) and (asked or not each.learned)
        ]
        return self.observations.hits(found, match)

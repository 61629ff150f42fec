"""Faults that come with search on a database server: zones, counters, candidates and stale contexts."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit, RecallQuery
from lamella.domain.memories.timeline import Surroundings
from lamella.domain.search import indexing
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.search import KindCounts
from lamella_adapters.fts5 import bm25, tokens
from lamella_adapters.memory import observations
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed, finding_with
from lamella_contracts.mutants.search.context import Remembered

MUTANTS = Mutants()

_BM25, _TOKENS, _IDF = bm25.bm25, bm25.tokens, tokens.idf


def asking(change: Callable[[Filters], Filters]) -> type[InMemorySearch]:
    """Return a search with other filters than it was asked with."""

    class Asking(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return super().find(evolve(query, filters=change(query.filters)))

    return Asking


def _milliseconds(filters: Filters) -> Filters:
    since = filters.since
    return evolve(filters, since=since and since.replace(microsecond=since.microsecond // 1000 * 1000))


def _without_zone(filters: Filters) -> Filters:
    return evolve(filters, since=filters.since and filters.since.replace(tzinfo=UTC))


@MUTANTS.add("kinds are counted in local time", trips={"since_is_the_same_in_every_zone"})
class CountsInLocalTime(InMemorySearch):
    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        return super().kinds(since=[each.replace(tzinfo=UTC) for each in since])


@MUTANTS.add("around is in local time", trips={"a_moment_is_the_same_in_every_zone"})
class AroundInLocalTime(InMemorySearch):
    def around(
        self, anchor: UUID | datetime, *, before: int, after: int, session: str | None = None
    ) -> Surroundings:
        at = anchor.replace(tzinfo=UTC) if isinstance(anchor, datetime) else anchor
        found = super().around(at, before=before, after=after, session=session)
        return evolve(found, anchor=anchor)


def _by_sequence(each: Observation) -> tuple[int, int]:
    return each.sequence, 0


def ordered_by_sequence(*methods: str) -> type[InMemorySearch]:
    """Return a search in which some methods order by sequence alone."""

    class Ordered(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            kind = type(query.selector).__name__
            if kind not in methods:
                return super().find(query)
            with changed(observations, _age=_by_sequence):
                return super().find(query)

        def neighbourhood(self, *asked: Any, **more: Any) -> Any:
            if "neighbourhood" not in methods:
                return super().neighbourhood(*asked, **more)
            with changed(observations, _age=_by_sequence):
                return super().neighbourhood(*asked, **more)

        def around(self, *asked: Any, **more: Any) -> Any:
            if "around" not in methods:
                return super().around(*asked, **more)
            with changed(observations, _age=_by_sequence):
                return super().around(*asked, **more)

    return Ordered


@MUTANTS.add("the newest 500 are ranked", trips={"the_oldest_of_many_are_ranked"})
class RanksTheNewest(InMemorySearch):
    """Ranks the newest 500 rows, with the statistics of all."""

    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        newest = {each.id for each in candidates[:500]}
        return [hit for hit in super()._ranked(words, candidates, filters) if hit.observation.id in newest]


class CountsErased(InMemoryRegistry):
    """Has a counter of rows for each project, which an erase forgets."""

    def __init__(self) -> None:
        super().__init__()
        self.erased: dict[str, int] = {}


class ErasesWithoutCounting(InMemoryObservations):
    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = super().erase(ids, by=by)
        registry = self.storage
        assert isinstance(registry, CountsErased)
        registry.erased[self.project] = registry.erased.get(self.project, 0) + done.count(StatusChange.DONE)
        return done


class StatisticsOfErased(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        registry = self.observations.storage
        assert isinstance(registry, CountsErased)
        more = registry.erased.get(self.observations.project, 0)
        with changed(tokens, idf=lambda hits, rows: _IDF(hits, rows + more)):
            return super().find(query)


class CountsDeparted(InMemoryRegistry):
    """Has a counter of rows for each project, which rises with each save and merge, and falls with a purge."""

    def __init__(self) -> None:
        super().__init__()
        self.departed: dict[str, int] = {}

    def split(self, old: str, *, by: Signature) -> int:
        holder = self.home(old)[0]
        moved = super().split(old, by=by)
        self.departed[holder] = self.departed.get(holder, 0) + moved
        return moved


class StatisticsOfDeparted(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        registry = self.observations.storage
        assert isinstance(registry, CountsDeparted)
        more = registry.departed.get(registry.home(self.observations.project)[0], 0)
        with changed(tokens, idf=lambda hits, rows: _IDF(hits, rows + more)):
            return super().find(query)


@MUTANTS.add("a merge leaves contexts", trips={"a_merge_makes_contexts_anew"})
class MergeLeavesContexts(Remembered):
    """Keeps the contexts that were made before a merge."""

    def previous(self, observation: Observation) -> list[Observation]:
        before = [] if observation.purged else self.before(observation)
        return [each for each in before if each.origin == observation.origin][:2]


class SplitLeavesContexts(Remembered):
    """Takes contexts from the session in every project of the storage that was ever merged."""

    def earlier(self, observation: Observation) -> list[Observation]:
        registry = self.storage
        assert isinstance(registry, Merged)
        shelves = [registry.shelves[id] for id in registry.merged if id in registry.shelves]
        rows = {id: row.observation for shelf in [*shelves, self.shelf] for id, row in shelf.rows.items()}
        moment = (observation.occurred_at, observation.sequence)
        earlier = [each for each in rows.values() if (each.occurred_at, each.sequence) < moment]
        return sorted(earlier, key=lambda each: (each.occurred_at, each.sequence), reverse=True)

    def previous(self, observation: Observation) -> list[Observation]:
        return [] if observation.purged else self.before(observation)[:2]


class Merged(InMemoryRegistry):
    """Remembers which projects were merged."""

    def __init__(self) -> None:
        super().__init__()
        self.merged: set[str] = set()

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        moved = super().merge(old, new, by=by)
        self.merged |= {old, new}
        return moved


@MUTANTS.add("a save takes purged text along", trips={"what_follows_a_purge_has_no_purged_text"})
class SavesPurgedContext(Remembered):
    """Takes purged text into the context of what is saved later."""

    def previous(self, observation: Observation) -> list[Observation]:
        if observation.purged:
            return []
        before = self.before(observation, purged=True)
        return [each for each in before if not each.purged or self._was_purged(each, observation)][:2]

    def _was_purged(self, each: Observation, observation: Observation) -> bool:
        return each.purged_at is not None and each.purged_at < observation.created_at


def _indexed_short(text: str) -> list[str]:
    return [token[:2_000] for token in _TOKENS(text)]


def _backwards(row: Any, terms: Sequence[Any], average: float) -> float:
    return _BM25(row, terms[::-1], average)


def _short(texts: Iterable[tuple[str, str]]) -> str:
    return _CONTEXT((title, content[:100]) for title, content in texts)


_CONTEXT = indexing.context

LEDGER = (
    Mutant(
        fault="titles are ordered by sequence",
        search=ordered_by_sequence("ByTitle"),
        trips={"a_late_capture_has_its_neighbours_in_time"},
    ),
    Mutant(
        fault="neighbours are ordered by sequence",
        search=ordered_by_sequence("neighbourhood"),
        trips={"a_late_capture_has_its_neighbours_in_time"},
    ),
    Mutant(
        fault="around is ordered by sequence",
        search=ordered_by_sequence("around"),
        trips={"a_late_capture_has_its_neighbours_in_time"},
    ),
)
"""Faults that show in captures that come late."""

MUTANTS += (
    Mutant(fault="since has milliseconds", search=asking(_milliseconds), trips={"since_counts_microseconds"}),
    Mutant(fault="since has no zone", search=asking(_without_zone), trips={"since_is_the_same_in_every_zone"}),
    Mutant(
        fault="erased ones are counted",
        observations=ErasesWithoutCounting,
        search=StatisticsOfErased,
        registry=CountsErased,
        trips={"statistics_forget_what_is_erased"},
    ),
    Mutant(
        fault="departed ones are counted",
        search=StatisticsOfDeparted,
        registry=CountsDeparted,
        trips={"statistics_forget_what_moved_away"},
    ),
    Mutant(
        fault="a split leaves contexts",
        observations=SplitLeavesContexts,
        registry=Merged,
        trips={"a_split_makes_contexts_anew", "merged_memories_are_found"},
    ),
    Mutant(
        fault="long words are cut",
        search=finding_with(bm25, tokens=_indexed_short, _form_tokens=lambda form: tuple(_indexed_short(form))),
        trips={"long_words_are_told_apart"},
    ),
    Mutant(
        fault="terms are added up backwards",
        search=finding_with(bm25, bm25=_backwards),
        trips={"scores_are_exact"},
    ),
    Mutant(
        fault="contexts are shorter",
        search=finding_with(indexing, context=_short),
        trips={"context_is_a_beginning"},
    ),
)

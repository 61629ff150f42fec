"""Faults in search by title and time, in filters, and in the memories around a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.memories import filtering
from lamella.domain.memories.errors import ObservationNotFoundError
from lamella.domain.memories.filtering import passes
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.domain.memories.timeline import Neighbours, TimelineQuery
from lamella.ports.storage.search import KindCounts
from lamella_adapters.memory import search
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import finding_with, storage_mutants

MUTANTS = storage_mutants()


MANY = 1_000_000
Right = Callable[..., Neighbours]


def passing(wrong: Callable[[Observation, Filters], bool]) -> type[InMemorySearch]:
    """Return a search class with a wrong filter: `wrong` decides on each observation."""
    return finding_with(search, passes=wrong)


@MUTANTS.add("filters change the statistics")
class FiltersTakePartInStatistics(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        return super()._ranked(words, [each for each in candidates if passes(each, filters)], filters)


@MUTANTS.add("filters are applied after the limit")
class FiltersLast(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        every = super().find(evolve(query, filters=Filters()))
        return tuple(hit for hit in every if passes(hit.observation, query.filters))


MUTANTS.add("an empty set of ids filters nothing")(
    passing(lambda each, filters: passes(each, evolve(filters, ids=filters.ids or None)))
)
MUTANTS.add("until is inclusive")(
    passing(lambda each, filters: each.occurred_at == filters.until or passes(each, filters))
)
MUTANTS.add("the kind is ignored")(passing(lambda each, filters: passes(each, evolve(filters, kind=None))))
MUTANTS.add("the branch is ignored")(passing(lambda each, filters: passes(each, evolve(filters, branch=None))))
MUTANTS.add("one entry of metadata is enough")(
    passing(
        lambda each, filters: (
            passes(each, evolve(filters, metadata={}))
            and (not filters.metadata or bool(filters.metadata.items() & each.metadata.items()))
        )
    )
)
MUTANTS.add("a path matches files only")(
    finding_with(filtering, is_about=lambda path, filters: filters.path in (".", path) or path in filters.former)
)
MUTANTS.add("former names are ignored")(passing(lambda each, filters: passes(each, evolve(filters, former=()))))


def answering(change: Callable[[RecallQuery, tuple[Hit, ...]], Iterable[Hit]]) -> type[InMemorySearch]:
    """Return a search class whose hits are changed by `change` before the limit is applied."""

    class Answering(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return tuple(change(query, super().find(evolve(query, limit=MANY))))[: query.limit]

    return Answering


def asking(change: Callable[[RecallQuery], RecallQuery]) -> type[InMemorySearch]:
    """Return a search class whose queries are changed by `change`."""

    class Asking(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return super().find(change(query))

    return Asking


def ordering(key: Callable[[Observation], Any]) -> type[InMemorySearch]:
    """Return a search class that sorts hits by title or time in a wrong order, by `key`."""

    def order(query: RecallQuery, hits: tuple[Hit, ...]) -> Iterable[Hit]:
        ranked = isinstance(query.selector, ByText)
        return hits if ranked else sorted(hits, key=lambda hit: key(hit.observation))

    return answering(order)


@MUTANTS.add("wildcards in titles are interpreted")
class Like(InMemorySearch):
    """Search that uses the query as a LIKE pattern for titles, so that `%` and `_` are wildcards."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        if isinstance(query.selector, ByTitle) and query.selector.part.strip("%_") != query.selector.part:
            part = query.selector.part.strip("%_")
            query = evolve(query, selector=ByTitle(part) if part else Recent())
        return super().find(query)


@MUTANTS.add("commits count as recent")
class CommitsAreRecent(InMemorySearch):
    def _plain(self, search: ByTitle | Recent, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        if isinstance(search, ByTitle):
            return super()._plain(search, candidates, filters)
        return [evolve(hit, match=Match.RECENT) for hit in super()._plain(ByTitle(""), candidates, filters)]


@MUTANTS.add("counts include purged memories")
class CountsAll(InMemorySearch):
    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        right = super().kinds(since=since)
        return evolve(right, live=Counter(right.live) + Counter(right.purged), purged={})


@MUTANTS.add("counts of what is found have no limit")
class CountsBeyondTheLimit(InMemorySearch):
    def count_found(self, query: RecallQuery) -> int:
        return super().count_found(evolve(query, limit=query.limit + 1))


def _everything(query: RecallQuery) -> RecallQuery:
    nothing = isinstance(query.selector, ByText) and not query.selector.words
    return evolve(query, selector=Recent()) if nothing else query


def shortened(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return hits with short ids of eight digits."""
    return tuple(evolve(hit, short_id=hit.observation.id.hex[:8]) for hit in hits)


MUTANTS.add("the oldest come first")(ordering(lambda each: (each.occurred_at, each.sequence)))
MUTANTS.add("an empty query matches everything")(asking(_everything))
MUTANTS.add("recent memories include purged ones")(
    asking(lambda query: evolve(query, include_purged=query.include_purged or query.selector == Recent()))
)
MUTANTS.add("the limit is applied before the order")(
    answering(
        lambda query, hits: [
            hit for hit in hits if hit in sorted(hits, key=lambda each: each.observation.sequence)[: query.limit]
        ]
    )
)


def around(change: Callable[..., Neighbours]) -> type[InMemorySearch]:
    """Return a search class with wrong neighbours: `change` gets the correct function and its arguments."""

    class Around(InMemorySearch):
        def around(self, query: TimelineQuery) -> Neighbours:
            return change(super().around, query)

    return Around


def _newest_first(right: Right, query: TimelineQuery) -> Neighbours:
    found = right(query)
    return evolve(found, before=found.before[::-1])


def _nothing(right: Right, query: TimelineQuery) -> Neighbours:
    try:
        return right(query)
    except ObservationNotFoundError:
        return Neighbours()


MUTANTS.add("surroundings never include purged memories")(
    around(lambda right, query: right(evolve(query, include_purged=False)))
)
MUTANTS.add("the earlier neighbours are newest first")(around(_newest_first))
MUTANTS.add("an unknown anchor has no neighbours")(around(_nothing))

"""Faults in search by title and time, and in filters."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.ports.storage.search import KindCounts
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


MANY = 1_000_000


def answering(change: Callable[[RecallQuery, tuple[Hit, ...]], Iterable[Hit]]) -> type[InMemorySearch]:
    """Search with a changed answer, before the limit is applied."""

    class Answering(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return tuple(change(query, super().find(evolve(query, limit=MANY))))[: query.limit]

    return Answering


def asking(change: Callable[[RecallQuery], RecallQuery]) -> type[InMemorySearch]:
    """Search with a changed query."""

    class Asking(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return super().find(change(query))

    return Asking


def saved_at(hit: Hit) -> int:
    """Return the sequence of the memory."""
    return hit.observation.sequence


def plain(hit: Hit) -> bool:
    """Return True if the hit is from a look-up by title or time."""
    return hit.match in {Match.TITLE, Match.RECENT}


def ordering(key: Callable[[Observation], Any]) -> type[InMemorySearch]:
    """Search with another order for hits by title or time."""

    def order(_: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
        ranked = [hit for hit in hits if not plain(hit)]
        return ranked + sorted((hit for hit in hits if plain(hit)), key=lambda hit: key(hit.observation))

    return answering(order)


@MUTANTS.add("wildcards in titles are interpreted", "wildcards_in_titles_are_plain")
class Like(InMemorySearch):
    """Takes a part of a title as LIKE's pattern."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        if isinstance(query.selector, ByTitle) and query.selector.part.strip("%_") != query.selector.part:
            part = query.selector.part.strip("%_")
            query = evolve(query, selector=ByTitle(part) if part else Recent())
        return super().find(query)


@MUTANTS.add("commits count as recent", "commits_are_not_what_is_recent")
class CommitsAreRecent(InMemorySearch):
    def _plain(self, search: ByTitle | Recent, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        if isinstance(search, ByTitle):
            return super()._plain(search, candidates, filters)
        return [evolve(hit, match=Match.RECENT) for hit in super()._plain(ByTitle(""), candidates, filters)]


@MUTANTS.add("counts include purged memories", "kinds_are_counted")
class CountsAll(InMemorySearch):
    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        right = super().kinds(since=since)
        return evolve(right, live=Counter(right.live) + Counter(right.purged), purged={})


@MUTANTS.add("counts of what is found have no limit", "what_is_found_is_counted")
class CountsBeyondTheLimit(InMemorySearch):
    def count_found(self, query: RecallQuery) -> int:
        return super().count_found(evolve(query, limit=query.limit + 1))


def _everything(query: RecallQuery) -> RecallQuery:
    nothing = isinstance(query.selector, ByText) and not query.selector.words
    return evolve(query, selector=Recent()) if nothing else query


def shortened(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return hits with short ids of eight digits."""
    return tuple(evolve(hit, short_id=hit.observation.id.hex[:8]) for hit in hits)


MUTANTS.add(
    "the oldest come first", "the_most_recent_come_newest_first", "titles_are_found_in_any_case_and_spelling"
)(ordering(lambda each: (each.occurred_at, each.sequence)))
MUTANTS.add(
    "an empty query matches everything", "nothing_found_is_an_empty_answer", "the_longest_queries_have_an_answer"
)(asking(_everything))
MUTANTS.add(
    "recent memories include purged ones", "only_purged_ones_can_be_asked_for", "restored_ones_are_found_as_before"
)(asking(lambda query: evolve(query, include_purged=query.include_purged or query.selector == Recent())))
MUTANTS.add("the limit is applied before the order", "a_limit_keeps_the_best", "purged_hits_follow_all_live_ones")(
    answering(lambda query, hits: [hit for hit in hits if hit in sorted(hits, key=saved_at)[: query.limit]])
)

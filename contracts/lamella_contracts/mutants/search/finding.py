"""Faults in what is found by title and time, in and in filters."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.audit.signature import Signature
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery, Recent
from lamella.ports.storage.observations import StatusChange
from lamella.ports.storage.search import KindCounts
from lamella_adapters.memory import search
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_contracts.mutants.broken_storage import Mutant, Mutants, changed
from lamella_contracts.mutants.fault import HISTORY

MUTANTS = Mutants()

MANY = 1_000_000


def answering(change: Callable[[RecallQuery, tuple[Hit, ...]], Iterable[Hit]]) -> type[InMemorySearch]:
    """Search whose whole answer is changed before the limit is applied."""

    class Answering(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return tuple(change(query, super().find(evolve(query, limit=MANY))))[: query.limit]

    return Answering


def asking(change: Callable[[RecallQuery], RecallQuery]) -> type[InMemorySearch]:
    """Search that is asked for something else."""

    class Asking(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            return super().find(change(query))

    return Asking


def plain(hit: Hit) -> bool:
    """Return True if the hit is from a look-up by title or time."""
    return hit.match in {Match.TITLE, Match.RECENT}


def ordering(key: Callable[[Observation], Any]) -> type[InMemorySearch]:
    """Search that orders what is found by title or time by something else."""

    def order(_: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
        ranked = [hit for hit in hits if not plain(hit)]
        return ranked + sorted((hit for hit in hits if plain(hit)), key=lambda hit: key(hit.observation))

    return answering(order)


@MUTANTS.add("case is folded for ASCII only", trips={"titles_are_found_in_any_case_and_spelling"})
class FoldsAscii(InMemorySearch):
    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        with changed(search, canonical=lambda text: text.encode().lower().decode(errors="replace")):
            return super().find(query)


@MUTANTS.add("wildcards in titles are obeyed", trips={"wildcards_in_titles_are_plain"})
class Like(InMemorySearch):
    """Takes a part of a title as LIKE's pattern."""

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        if isinstance(query.selector, ByTitle) and query.selector.part.strip("%_") != query.selector.part:
            part = query.selector.part.strip("%_")
            query = evolve(query, selector=ByTitle(part) if part else Recent())
        return super().find(query)


@MUTANTS.add("commits are recent memories", trips={"commits_are_not_what_is_recent"})
class CommitsAreRecent(InMemorySearch):
    def _plain(self, search: ByTitle | Recent, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        if isinstance(search, ByTitle):
            return super()._plain(search, candidates, filters)
        return [evolve(hit, match=Match.RECENT) for hit in super()._plain(ByTitle(""), candidates, filters)]


@MUTANTS.add(
    "purged ones are always counted",
    trips={
        "purged_ones_are_counted_when_asked_for",
    },
)
class CountsAll(InMemorySearch):
    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        right = super().kinds(since=since)
        return evolve(right, live=Counter(right.live) + Counter(right.purged), purged={})


class RestoreForgetsTheIndex(InMemoryObservations):
    """Once purged, an observation counts as purged when it is ranked."""

    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        done = super().restore(ids, by=by)
        for row in [self.rows[id] for id in ids if id in self.rows]:
            row.request = "out of the index"
        return done


class FindsWhatIsIndexed(InMemorySearch):
    def _ranked(self, words: Any, candidates: Sequence[Observation], filters: Filters) -> list[Hit]:
        rows = self.observations.rows
        indexed = [each for each in candidates if rows[each.id].request != "out of the index"]
        return super()._ranked(words, indexed, filters)


def _words(_: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    return [evolve(hit, score=1.0) if plain(hit) else hit for hit in hits]


def _whole_words(query: RecallQuery, hits: tuple[Hit, ...]) -> list[Hit]:
    part = query.selector.part.lower().split() if isinstance(query.selector, ByTitle) else []
    return [hit for hit in hits if set(part) <= set(hit.observation.title.lower().split()) or not part[1:]]


def _everything(query: RecallQuery) -> RecallQuery:
    nothing = isinstance(query.selector, ByText) and not query.selector.words
    return evolve(query, selector=Recent()) if nothing else query


NEWEST = {"the_most_recent_come_newest_first", "equal_moments_are_ordered_by_sequence"}


def counting(since: timedelta = timedelta(), *, purged: bool | None = None) -> type[InMemorySearch]:
    """Search that counts kinds since another time, or those of live or of purged ones twice."""
    later = since

    class Counting(InMemorySearch):
        def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
            right = super().kinds(since=[time + later for time in since])
            if purged is None:
                return right
            twice = right.purged if purged else right.live
            return evolve(right, live=twice, purged=twice)

    return Counting


def shortened(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return hits with short ids of eight digits."""
    return tuple(evolve(hit, short_id=hit.observation.id.hex[:8]) for hit in hits)


MUTANTS += (
    Mutant(
        fault="the oldest come first",
        search=ordering(lambda each: (each.occurred_at, each.sequence)),
        trips={
            *NEWEST,
            "purged_ones_stand_in_their_time_when_asked_for",
        },
    ),
    Mutant(
        fault="plain hits have a score",
        search=answering(_words),
        trips={"recent_and_title_hits_are_not_scored", HISTORY},
    ),
    Mutant(
        fault="titles are matched by whole words",
        search=answering(_whole_words),
        trips={"any_part_of_a_title_finds_it"},
    ),
    Mutant(
        fault="no words find everything",
        search=asking(_everything),
        trips={"nothing_found_is_an_empty_answer", "the_longest_queries_have_an_answer"},
    ),
    Mutant(
        fault="the most recent include purged ones",
        search=asking(
            lambda query: evolve(query, include_purged=query.include_purged or query.selector == Recent())
        ),
        trips={"purged_ones_are_out_of_every_search"},
    ),
    Mutant(
        fault="a restore forgets the index",
        observations=RestoreForgetsTheIndex,
        search=FindsWhatIsIndexed,
        trips={
            "restored_ones_are_found_as_before",
            "a_restored_one_has_its_context_of_today",
            "a_restore_puts_text_back_into_the_context",
        },
    ),
    Mutant(
        fault="hits have short ids of eight digits",
        search=answering(lambda _, hits: shortened(hits)),
        trips={"hits_have_short_ids"},
    ),
    Mutant(
        fault="kinds of live ones only",
        search=counting(purged=False),
        trips={"kinds_are_counted", "each_project_counts_for_itself"},
    ),
)

"""Clauses on calls from several threads at once."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar

from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.observations import Added, StatusChange
from lamella_contracts.fixtures.project import START, ProjectFixture, signed

THREADS = 8
EACH = 6

T = TypeVar("T")


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make each call in its own thread, all started together, and return the results."""
    barrier = Barrier(len(calls))

    def call(index: int) -> T:
        barrier.wait(timeout=60)
        return calls[index]()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, range(len(calls))))


class ConcurrencyClauses:
    """Calls from several threads don't interfere."""

    def test_threads_that_add_lose_nothing(self, project: ProjectFixture) -> None:
        """The sequence number is read in one step and written in another, or a busy storage gives up."""

        def saves(thread: int) -> Callable[[], list[int]]:
            ids = [project.new_id() for _ in range(EACH)]
            drafts = [Draft(content=f"memory {thread} {number}") for number in range(EACH)]
            pairs = list(zip(drafts, ids, strict=True))
            scope = project.observations
            return lambda: [scope.add(draft, id=id, now=START).observation.sequence for draft, id in pairs]

        sequences = [each for made in at_once([saves(n) for n in range(THREADS)]) for each in made]
        assert len(set(sequences)) == THREADS * EACH
        stored = project.find(Recent(), limit=100)
        assert [hit.observation.sequence for hit in stored] == sorted(sequences, reverse=True)

    def test_racing_duplicates_become_one(self, project: ProjectFixture) -> None:
        """The check for a duplicate is outside the transaction that stores the draft."""
        scope, draft = project.observations, Draft(content="said by everyone")
        ids = [project.new_id() for _ in range(THREADS)]
        saved = at_once([partial(scope.add, draft, id=id, now=START) for id in ids])
        assert Counter(each.added for each in saved) == {Added.NEW: 1, Added.DUPLICATE: THREADS - 1}
        assert len({each.observation.id for each in saved}) == 1
        assert project.search.count(include_purged=True) == 1

    def test_racing_purges_are_done_once(self, project: ProjectFixture) -> None:
        """The check for an earlier purge is outside the transaction that purges or restores."""
        id, scope = project.save("purged by everyone").id, project.observations
        purged = at_once([lambda: scope.purge([id], by=signed(START))] * THREADS)
        restored = at_once([lambda: scope.restore([id], by=signed(START))] * THREADS)
        once = {(StatusChange.DONE,): 1, (StatusChange.ALREADY,): THREADS - 1}
        assert (Counter(purged), Counter(restored)) == (once, once)

    def test_reads_during_writes_see_whole_memories(self, project: ProjectFixture) -> None:
        """A reader sees half of a save or a row without its changes, or is turned away while someone writes."""
        scope, search = project.observations, project.search
        ids = [project.new_id() for _ in range(THREADS * EACH)]
        finished: list[int] = []

        def write(thread: int) -> list[int]:
            try:
                for number, id in enumerate(ids[thread::THREADS]):
                    scope.add(Draft(content=f"zebra {thread} {number}", session="s"), id=id, now=START)
                    scope.purge([id], by=signed(START))
                    scope.restore([id], by=signed(START))
            finally:
                finished.append(thread)
            return []

        def read() -> list[int]:
            counts = [0]
            while len(finished) < THREADS:
                counts.append(search.count(include_purged=True))
                found = [hit.observation for hit in project.find("zebra", limit=100)]
                whole = scope.get_all([each.id for each in found])
                assert {each.content for each in whole.values()} == {each.content for each in found}
            return counts

        writers: list[Callable[[], list[int]]] = [partial(write, thread) for thread in range(THREADS)]
        counts = at_once([*writers, read, read])
        assert [sorted(each) for each in counts] == counts
        assert project.search.count() == THREADS * EACH

"""Clauses on concurrent calls from several threads and processes."""

import sys
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_all_start_methods, get_context
from threading import Barrier
from time import sleep
from typing import Any, TypeVar

import pytest
from attrs import define, evolve

from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Recent
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Insert, Plan
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.transaction import Transactional
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, signed

THREADS = 8
EACH = 6

_PROCESSES = 3
_EACH_PROCESS = 20
_WRITERS, _READERS, _READS = 3, 2, 15
_WRITTEN = _WRITERS * _READERS * _READS

_SWITCH_SECONDS = 1e-6
_PATIENCE = 10_000
"""Maximum number of turns for which a writer waits for other writers. They may be blocked, or may have failed."""

_BETWEEN, _INSIDE, _FINISHED = range(3)

T = TypeVar("T")


@contextmanager
def _switching() -> Iterator[None]:
    """Let the interpreter switch threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Make each call in its own thread, all started together, and return the results."""
    barrier = Barrier(len(calls))

    def call(index: int) -> T:
        barrier.wait(timeout=60)
        return calls[index]()

    with _switching(), ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, range(len(calls))))


def _wait(done: Callable[[], bool], *, turns: int = _PATIENCE) -> None:
    """Let other threads and processes run until `done` returns True, or for a limited number of turns."""
    for _ in range(turns):
        sleep(0)
        if done():
            break


@define
class Overlapping:
    """Writer that stays in each of its transactions until another writer begins a transaction.

    Attributes:
        states: States of all writers.
        number: Number of this writer.
    """

    states: MutableSequence[int]
    number: int

    def write(self, parts: Sequence[Transactional], observations: Sequence[Observation]) -> list[int]:
        """Insert observations, each through the next part of a project, and return their sequence numbers."""
        try:
            return [
                self._insert(parts[place % len(parts)], said)
                for place, said in enumerate(observations, self.number)
            ]
        finally:
            self.states[self.number] = _FINISHED

    def _insert(self, part: Transactional, said: Observation) -> int:
        def decide(facts: Facts) -> tuple[Plan, int]:
            _wait(self._overlaps)
            numbered = evolve(said, sequence=facts.sequence + 1)
            return (Insert(observation=numbered, fingerprint=said.fingerprint, request=None),), numbered.sequence

        self.states[self.number] = _INSIDE
        done = part.transact(Look(), decide)
        self.states[self.number] = _BETWEEN
        return done

    def _overlaps(self) -> bool:
        others = [state for number, state in enumerate(self.states) if number != self.number]
        return _INSIDE in others or _BETWEEN not in others


def _parts(project: ProjectFixture) -> list[Transactional]:
    """Return every part of a project that can run a transaction, such as its memories and its ledger."""
    storage = project.storage
    parts = {
        Capability.LEDGER: storage.ledger,
        Capability.AUDIT: storage.audit,
        Capability.CONVERSATIONS: storage.conversations,
    }
    others = [part(project.id) for capability, part in parts.items() if capability in storage.capabilities]
    return [project.observations, *others]


def _observations(project: ProjectFixture, count: int) -> list[Observation]:
    return [project.observed(f"memory {number}", sequence=0) for number in range(count)]


class ConcurrencyClauses:
    """Calls from several threads and processes don't interfere."""

    def test_transactions_of_threads_come_one_after_another(self, project: ProjectFixture) -> None:
        """Fails if two threads decide on the same facts, so that both use one sequence number.

        Likely causes are a missing lock, a lock for each part of the storage, or locking after reading.
        """
        states = [_BETWEEN] * THREADS
        every = _observations(project, THREADS * EACH)
        sequences = at_once(
            [
                partial(Overlapping(states, number).write, _parts(project), every[number::THREADS])
                for number in range(THREADS)
            ]
        )
        _assert_all_stored(project, sequences)

    @needs(Capability.DURABLE)
    def test_transactions_of_processes_come_one_after_another(self, project: ProjectFixture) -> None:
        """Fails if a transaction reads before it locks out other processes.

        Also fails if the transaction raises too early while another process holds the lock.
        """
        every = _observations(project, _PROCESSES * _EACH_PROCESS)
        states = _context().RawArray("b", _PROCESSES)

        def write(number: int) -> list[int]:
            again = project.reopened()
            try:
                return Overlapping(states, number).write([again.observations], every[number::_PROCESSES])
            finally:
                again.storage.close()

        sequences = in_processes(project, [partial(write, number) for number in range(_PROCESSES)])
        _assert_all_stored(project.reopened(), sequences)

    def test_reads_during_writes_see_whole_memories(self, project: ProjectFixture) -> None:
        """Fails if a read during a write sees half of a save, or raises."""
        scope, search = project.observations, project.search
        reads: list[int] = []
        begun: set[int] = set()

        def has_read(number: int) -> bool:
            return len(reads) > number

        def write(thread: int) -> list[int]:
            for number in range(_READERS * _READS):
                # Delay each thread by a different time, so that every write happens at a different moment of a
                # running read.
                _wait(partial(has_read, number))
                _wait(lambda: False, turns=thread * number)
                id = project.new_id()
                scope.add(Draft(content=f"zebra {thread} {number}", session="s"), id=id, now=START)
                begun.add(thread)
                scope.purge([id], by=signed(START))
                scope.restore([id], by=signed(START))
            return []

        def read() -> list[int]:
            counts = [0]
            try:
                for number in range(_READS):
                    reads.append(number)
                    counts.append(search.count(include_purged=True))
                    asked = Recent() if number % 4 else "zebra"
                    found = [hit.observation for hit in project.find(asked, limit=_WRITTEN)]
                    whole = scope.get_all([each.id for each in found])
                    assert {each.content for each in whole.values()} == {each.content for each in found}
                    _wait(lambda: len(begun) == _WRITERS)
            finally:
                # Count the remaining reads as done, so that nobody waits for a failed reader.
                reads.extend(range(_READS))
            return counts

        writers: list[Callable[[], list[int]]] = [partial(write, thread) for thread in range(_WRITERS)]
        counts = at_once([*writers, *[read] * _READERS])
        assert [sorted(each) for each in counts] == counts
        assert project.search.count() == _WRITTEN


def _assert_all_stored(project: ProjectFixture, sequences: Sequence[Sequence[int]]) -> None:
    every = sorted(number for made in sequences for number in made)
    assert every == [*range(1, len(every) + 1)]
    assert [each.observation.sequence for each in project.observations.page(limit=len(every) + 1)] == every


def _context() -> Any:
    if "fork" not in get_all_start_methods():
        pytest.skip("this platform forks no processes")
    return get_context("fork")


def in_processes(project: ProjectFixture, calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Make each call in its own process, all started together, and return the results.

    Closes the storage first: connections don't survive a fork. A failed process fails the clause.
    """
    context = _context()
    project.storage.close()
    barrier = context.Barrier(len(calls))
    pipes = [context.Pipe(duplex=False) for _ in calls]

    def call(number: int) -> None:
        with suppress(BrokenPipeError):
            try:
                barrier.wait(timeout=60)
                answer: tuple[Any, str] = (calls[number](), "")
            except BaseException as error:  # noqa: BLE001 - the parent process reports it
                answer = (None, f"{type(error).__name__}: {error}")
            pipes[number][1].send(answer)

    children = [context.Process(target=call, args=(number,)) for number in range(len(calls))]
    for child in children:
        child.start()
    for _, end in pipes:
        end.close()
    answers = [end.recv() for end, _ in pipes]
    for child in children:
        child.join()
    assert [failure for _, failure in answers if failure] == []
    return [answer for answer, _ in answers]

"""Clients that call a storage concurrently and without pauses."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from copy import copy
from datetime import UTC, datetime
from multiprocessing import get_context
from threading import Barrier, Thread
from uuid import uuid4

from attrs import frozen

from bench.support.workload import Language
from bench.team.population import Home
from bench.team.server import administer, server_seconds
from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText, RecallQuery
from lamella.ports.storage.storage import Storage

PROCESSES = 2
"""Maximum number of processes that run the clients. Each process has a connection pool."""

_BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'lamella %'"
_LOOK = 0.2


@frozen(kw_only=True)
class Work:
    """Calls made by some concurrent clients, with times and errors.

    Attributes:
        clients: Number of clients.
        milliseconds: Times of the calls that succeeded.
        errors: Number of errors by name.
        seconds: Elapsed time in seconds.
        own_cpu: Processor seconds of the processes of the clients.
        server_cpu: Processor seconds of the server; None if unknown.
        backends: Maximum number of simultaneous connections to the server.
    """

    clients: int
    milliseconds: Sequence[float]
    errors: Mapping[str, int]
    seconds: float
    own_cpu: float
    server_cpu: float | None = None
    backends: int = 0


def worked(home: Home, kind: str, clients: int, seconds: float) -> Work:
    """Run clients that recall or save for some seconds, in projects chosen by size. Return the result."""
    processes = min(clients, PROCESSES)
    seeds = [range(place, clients, processes) for place in range(processes)]
    before = None if home.location is None else server_seconds(home.location)
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        together, most = manager.Barrier(processes), 0
        begun = [pool.submit(_process, home, kind, seconds, together, some) for some in seeds]
        while not all(each.done() for each in begun):
            if home.location is not None:
                ((seen,),) = administer(home.location, _BACKENDS)
                most = max(most, seen)
            time.sleep(_LOOK)
        done = [each.result() for each in begun]
    # Wait until the backends have ended, because the server's time then includes theirs.
    time.sleep(_LOOK)
    after = None if home.location is None else server_seconds(home.location)
    errors: Counter[str] = Counter()
    for each in done:
        errors.update(each.errors)
    return Work(
        clients=clients,
        milliseconds=[one for each in done for one in each.milliseconds],
        errors=errors,
        seconds=max(each.seconds for each in done),
        own_cpu=sum(each.own_cpu for each in done),
        server_cpu=None if before is None or after is None else after - before,
        backends=most,
    )


def call(storage: Storage, kind: str, project: str, language: Language) -> object:
    """Make one call: a recall by five terms, or a durable save."""
    if kind == "save":
        draft = Draft(content=language.text(80), title=language.text(7), session=str(language.random.random()))
        return storage.observations(project).add(draft, id=uuid4(), now=datetime.now(UTC))
    return storage.search(project).find(RecallQuery(selector=ByText(language.five_terms())))


def _process(home: Home, kind: str, seconds: float, together: Barrier, seeds: Sequence[int]) -> Work:
    taken: list[float] = []
    errors: Counter[str] = Counter()
    with closing(home.opened()) as storage:
        languages = spoken(seeds)
        call(storage, "recall", home.projects[0], languages[0])
        together.wait()
        cpu, begun = time.process_time(), time.perf_counter()
        work = _Client(storage, home, kind, begun + seconds, taken, errors)
        at_once(work.run, languages)
        return Work(
            clients=len(seeds),
            milliseconds=taken,
            errors=errors,
            seconds=time.perf_counter() - begun,
            own_cpu=time.process_time() - cpu,
        )


@frozen
class _Client:
    storage: Storage
    home: Home
    kind: str
    end: float
    taken: list[float]
    errors: Counter[str]

    def run(self, language: Language) -> None:
        """Make calls until the end."""
        drawn = random.Random(language.random.random())  # noqa: S311 - a workload, not a secret
        weights = self.home.weights
        while (begun := time.perf_counter()) < self.end:
            try:
                (project,) = drawn.choices(self.home.projects, cum_weights=weights)
                call(self.storage, self.kind, project, language)
            except LamellaError as error:
                self.errors[type(error).__name__] += 1
            else:
                self.taken.append(1000 * (time.perf_counter() - begun))


def spoken(seeds: Iterable[int]) -> list[Language]:
    """Return a `Language` for each client. All languages share one vocabulary, because creating it takes long."""
    first = Language(0)
    languages = []
    for seed in seeds:
        language = copy(first)
        language.random = random.Random(1_000 + seed)  # noqa: S311 - a workload, not a secret
        languages.append(language)
    return languages


def at_once(work: Callable[[Language], None], languages: Sequence[Language]) -> None:
    """Run `work` in a thread for each language, and wait for all threads."""
    threading.stack_size(512 * 1024)
    threads = [Thread(target=work, args=(language,)) for language in languages]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

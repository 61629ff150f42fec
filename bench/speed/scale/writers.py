"""Eight processes that save into one project at full speed."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier
from uuid import uuid4

from attrs import frozen

from bench.support.workload import Language
from lamella.domain.errors import StorageError
from lamella.domain.memories.observation import Draft
from lamella_adapters.sqlite.storage import SqliteStorage

WRITERS = 8


@frozen(kw_only=True)
class Written:
    """Result of one writer: the seconds of each save, and the number of rejected saves."""

    seconds: Sequence[float]
    errors: int


def eight_writers(folder: Path, project: str, seconds: float) -> list[Written]:
    """Run eight processes that start together and write for some seconds. Return the result of each."""
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(WRITERS, mp_context=context) as processes:
        together = manager.Barrier(WRITERS)
        begun = [processes.submit(_write, folder, project, seconds, together, each) for each in range(WRITERS)]
        return [each.result() for each in begun]


def _write(folder: Path, project: str, seconds: float, together: Barrier, seed: int) -> Written:
    language = Language(seed=100 + seed)
    times: list[float] = []
    errors = 0
    with closing(SqliteStorage(folder)) as storage:
        observations = storage.observations(project)
        together.wait()
        end = time.perf_counter() + seconds
        while (begun := time.perf_counter()) < end:
            draft = Draft(content=language.text(80), title=language.text(7), session=f"writer-{seed}")
            try:
                observations.add(draft, id=uuid4(), now=datetime.now(UTC))
            except StorageError:
                errors += 1
            times.append(time.perf_counter() - begun)
    return Written(seconds=times, errors=errors)

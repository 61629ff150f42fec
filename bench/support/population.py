"""A data directory with many memories in fifty projects. One project has 40 % of the memories."""

import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from attrs import frozen

from bench.support.workload import fill
from lamella.domain.projects.project import Location
from lamella_adapters.sqlite.storage import SqliteStorage

PROJECTS = 50
_BIG_SHARE = 0.4


@frozen(kw_only=True)
class Population:
    """The projects of a data directory with their numbers of memories, the largest first."""

    folder: Path
    projects: Sequence[str]
    sizes: Sequence[int]
    built_in: float
    """Seconds for creating the data directory."""

    @property
    def rows(self) -> int:
        """Total number of memories."""
        return sum(self.sizes)

    @property
    def big(self) -> str:
        """Name of the project with 40 % of the memories."""
        return self.projects[0]

    @property
    def small(self) -> str:
        """Name of one of the small projects."""
        return self.projects[-1]


def populated(folder: Path, rows: int) -> Population:
    """Create a data directory with a number of memories, with one process per processor."""
    begun = time.perf_counter()
    with closing(SqliteStorage(folder)) as storage:
        projects = [storage.registry.at(_place(number), now=datetime.now(UTC)).id for number in range(PROJECTS)]
    sizes = shares(rows)
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as processes:
        for _ in processes.map(_fill, [folder] * PROJECTS, projects, sizes, range(PROJECTS)):
            pass
    return Population(folder=folder, projects=projects, sizes=sizes, built_in=time.perf_counter() - begun)


def shares(rows: int) -> list[int]:
    """Return the number of memories of each project, the largest first."""
    big = round(_BIG_SHARE * rows)
    each, left = divmod(rows - big, PROJECTS - 1)
    return [big, *(each + (number < left) for number in range(PROJECTS - 1))]


def _place(number: int) -> Location:
    name = f"project {number}"
    return Location(key=f"dir:/bench/{number}", name=name, root=Path("/bench") / str(number))


def _fill(folder: Path, project: str, count: int, seed: int) -> None:
    with closing(SqliteStorage(folder)) as storage:
        fill(storage, project, count, seed)

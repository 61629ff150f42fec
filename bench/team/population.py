"""Projects of many sizes, with the same memories in SQLite and in PostgreSQL.

All projects take their memories from the beginning of one sequence. So only the largest project has to be
analysed, and its rows are copied into the others.
"""

import math
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path

from attrs import evolve, frozen

from lamella.domain.projects.project import Location
from lamella.ports.storage.storage import Storage
from lamella_adapters.postgresql import open_storage
from lamella_adapters.sqlite.storage import SqliteStorage

SEED = 7
"""Seed of the memories."""

BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
"""Time of creation of the projects."""

_SHIFT = 5
"""Shift in Zipf's law for the sizes. With a larger shift, more projects are nearly as large as the largest one."""


@frozen(kw_only=True)
class Home:
    """A storage with projects of several sizes.

    Attributes:
        name: Name of the engine.
        location: URL of a server; None for SQLite.
        folder: Data directory of SQLite.
        projects: Ids of the projects, the largest first.
        sizes: Number of memories of each project, in the same order.
        built_in: Seconds for analysing the memories, and for the remaining steps.
    """

    name: str
    location: str | None
    folder: Path
    projects: Sequence[str]
    sizes: Sequence[int]
    built_in: tuple[float, float] = (0.0, 0.0)

    def opened(self) -> Storage:
        """Open the storage."""
        return SqliteStorage(self.folder) if self.location is None else open_storage(self.location, self.folder)

    @property
    def weights(self) -> list[int]:
        """Return cumulative weights for choosing projects, so that all memories are used equally often."""
        return list(accumulate(self.sizes))

    def some(self, first: int, end: int | None = None) -> "Home":
        """Return this storage with only the projects from `first` to `end`."""
        return evolve(self, projects=self.projects[first:end], sizes=self.sizes[first:end])


def sizes(memories: int, projects: int, *, largest: int, one: int) -> list[int]:
    """Return the numbers of memories of projects, the largest first.

    The sizes follow Zipf's law. Each is rounded to the largest size divided by a power of two, so that there are
    few different sizes.

    Args:
        memories: Approximate total number.
        projects: Number of projects.
        largest: Maximum number of memories of a project.
        one: Number of memories of one additional large project; 0 for none.
    """
    shares = [1 / (rank + _SHIFT) for rank in range(1, projects + (not one))]
    most = min(largest, round((memories - one) * shares[0] / sum(shares)))
    halves = [_halved(most, most * share / shares[0]) for share in shares]
    return [one, *halves] if one else halves


def _halved(most: int, wanted: float) -> int:
    """Return `most` divided by a power of two: the quotient nearest to `wanted` by ratio, and at least 1."""
    steps = [most]
    while steps[-1] > wanted and steps[-1] > 1:
        steps.append(steps[-1] // 2)
    return min(steps[-2:], key=lambda step: abs(math.log(step / wanted)))


def places(count: int) -> list[Location]:
    """Return the locations of a number of projects."""
    return [
        Location(key=f"dir:/bench/{number}", name=f"project {number}", root=Path("/bench") / str(number))
        for number in range(count)
    ]


def seconds_since(begun: float) -> float:
    """Return the seconds elapsed since a reading of the performance counter, `begun`."""
    return time.perf_counter() - begun

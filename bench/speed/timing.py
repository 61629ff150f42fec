"""Duration of calls: elapsed time and processor time."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

Call = Callable[[], object]


@frozen(kw_only=True)
class Times:
    """Milliseconds of some calls."""

    cpu: Sequence[float]
    wall: Sequence[float]

    @property
    def p50(self) -> float:
        """The median of the processor time, which tells more on a busy machine than the time that passes."""
        return statistics.median(self.cpu)

    def __str__(self) -> str:
        """Both medians."""
        return f"{self.p50:.2f} / {statistics.median(self.wall):.2f}"


def in_turns(calls: Mapping[str, Sequence[Call]]) -> dict[str, Times]:
    """The calls of several competitors, one of each in turn, so that all meet the same machine."""
    cpu: dict[str, list[float]] = {name: [] for name in calls}
    wall: dict[str, list[float]] = {name: [] for name in calls}
    for turn in zip(*calls.values(), strict=True):
        for name, call in zip(calls, turn, strict=True):
            worked, begun = time.process_time(), time.perf_counter()
            call()
            wall[name].append(1000 * (time.perf_counter() - begun))
            cpu[name].append(1000 * (time.process_time() - worked))
    return {name: Times(cpu=cpu[name], wall=wall[name]) for name in calls}


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of `values` that so many percent of them do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -int(-percent * len(ordered) // 100) - 1)]

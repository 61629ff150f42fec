"""Cost of calls and of commands: elapsed time, processor time, memory."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

LAMELLA = str(Path(sys.executable).with_name("lamella"))

_STARTER = """
import json, os, sys
process = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, used = os.wait4(process, 0)
with open(sys.argv[1], "w") as file:
    json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024], file)
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
"""Program that starts a command and measures its cost. A benchmark with much memory can't start the command
itself, because on Linux the peak memory of a process includes that of the process that started it."""

Call = Callable[[], object]


@frozen(kw_only=True)
class Times:
    """Times of some calls in milliseconds."""

    cpu: Sequence[float]
    wall: Sequence[float]

    @property
    def p50(self) -> float:
        """Median of the processor time, which is more reliable than elapsed time on a busy machine."""
        return statistics.median(self.cpu)

    def __str__(self) -> str:
        """Format the medians of processor time and elapsed time."""
        return f"{self.p50:.2f} / {statistics.median(self.wall):.2f}"


def in_turns(calls: Mapping[str, Sequence[Call]]) -> dict[str, Times]:
    """Run calls of several programs alternately, so that all programs have the same load of the machine."""
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
    """Return a percentile of `values` by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -int(-percent * len(ordered) // 100) - 1)]


@frozen
class Ran:
    """Cost of a command: processor seconds, elapsed seconds, and peak memory in megabytes."""

    cpu: float
    wall: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.cpu:.1f} / {self.wall:.1f} s, {self.megabytes:.0f} MB"


def ran(
    *arguments: str | Path,
    environment: Mapping[str, str],
    folder: Path | None = None,
    said: Path = Path(os.devnull),
) -> Ran:
    """Run the command `lamella`, with its output in a file.

    Raises:
        SystemExit: The command failed.
    """
    with tempfile.NamedTemporaryFile() as noted, said.open("wb") as output:
        begun = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _STARTER, noted.name, LAMELLA, *arguments],
            cwd=folder,
            env={**os.environ, **environment},
            stdout=output,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        wall = time.perf_counter() - begun
        if done.returncode:
            raise SystemExit(f"lamella {' '.join(map(str, arguments))} failed")
        cpu, megabytes = json.loads(Path(noted.name).read_text("utf-8"))
    return Ran(cpu, wall, megabytes)

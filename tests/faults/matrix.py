"""Runs all faults in number, and prints what came of each.

Usage: python -m tests.faults.matrix [--seed N] [--minutes N] [--write FILE] [NAME ...]
"""

import argparse
import shlex
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom
from types import FrameType

from attrs import define, evolve, field, frozen

from tests.end_to_end.storage.worker import unsynced_folder
from tests.faults.catalogue import ELSEWHERE, FAULTS
from tests.faults.fault import Elsewhere, Fault, NotPossibleError
from tests.patience import be_patient

MOST_FAILURES = 3
"""After so many, a fault is not injected any more."""


class OutOfTimeError(Exception):
    """The time limit of a fault was exceeded."""


@define
class Row:
    """Results for one fault."""

    fault: Fault
    outcomes: Counter[Hashable] = field(factory=Counter)
    failures: list[str] = field(factory=list)
    missing: str = ""
    """Reason why it was injected less often than wanted, or not at all."""

    @property
    def injected(self) -> int:
        """Number of injections."""
        return self.outcomes.total() + len(self.failures)

    @property
    def troubles(self) -> list[str]:
        """Failures, and the reason for fewer injections than wanted."""
        said = [f"**FAILED {len(self.failures)}**"] * bool(self.failures)
        if self.missing:
            said.append(f"{'cut' if self.injected else 'not injected'}: {self.missing}")
        return said

    @property
    def cells(self) -> list[str]:
        """The columns after the name and the number of injections."""
        one = len(self.outcomes) == 1
        said = [str(what) if one else f"{number:,} {what}" for what, number in self.outcomes.most_common()]
        return ["; ".join(said + self.troubles)]

    def __str__(self) -> str:
        return f"| {' | '.join([self.fault.name, f'{self.injected:,}', *self.cells])} |"


@frozen
class Matrix:
    """Faults to inject together, and the table of results.

    Attributes:
        command: The command that injects them.
        faults: All of them, in their order.
        elsewhere: Faults that tests elsewhere inject.
        columns: Names of the columns after the number of injections.
        row: Class of its rows.
    """

    command: str
    faults: Sequence[Fault]
    elsewhere: Sequence[Elsewhere] = ()
    columns: Sequence[str] = ("outcome",)
    row: type[Row] = Row

    @property
    def marks(self) -> tuple[str, str]:
        """Lines before and after the table in a page."""
        return f"<!-- {self.command}: begin -->", f"<!-- {self.command}: end -->"

    def table(self, rows: Sequence[Row], options: str) -> str:
        """Return the rows as a table in Markdown."""
        total, failed = sum(row.injected for row in rows), sum(len(row.failures) for row in rows)
        ran = f'`{self.command} OPTIONS="{options}"`'
        return "\n".join(
            [
                f"{datetime.now(UTC):%Y-%m-%d}, {ran}: {total:,} injections, {failed} failures.",
                "",
                f"| {' | '.join(['fault', 'injected', *self.columns])} |",
                f"|{'---|' * (2 + len(self.columns))}",
                *map(str, rows),
                *(f"| {each.name} | not injected here | {_listed(each.tests)} |" for each in self.elsewhere),
            ]
        )

    def write(self, page: Path, text: str) -> None:
        """Put a table into a page, in the place of the one that is there."""
        begin, end = self.marks
        before, _, rest = page.read_text("utf-8").partition(begin)
        _, _, after = rest.partition(end)
        page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` within the block after a time."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def inject(fault: Fault, seed: str, count: int, outcomes: Counter[Hashable]) -> None:
    """Inject a fault at most `count` times, each in its own folder, and count the results."""
    with unsynced_folder() as folder, closing(fault.inject(folder, Random(seed))) as injections:  # type: ignore[type-var]  # noqa: S311 - repeatable
        for outcome in islice(injections, count):
            outcomes[outcome] += 1


def run(row: Row, seed: int, seconds: float, most: int | None = None) -> None:
    """Inject the fault of a row as often as it is wanted or `most` times, for so long at most."""
    fault, row.missing = row.fault, ""
    wanted = fault.many if most is None else min(fault.many, most)
    try:
        with limited(seconds):
            while (left := wanted - row.injected) > 0 and len(row.failures) < MOST_FAILURES:
                try:
                    inject(fault, f"{seed} {fault.name} {row.injected}", left, row.outcomes)
                except (OutOfTimeError, NotPossibleError, KeyboardInterrupt):
                    raise
                except Exception:  # noqa: BLE001 - whatever it is, it is a failure of this fault alone
                    row.failures.append(traceback.format_exc())
                else:
                    break
    except OutOfTimeError:
        row.missing = "no time was left"
    except NotPossibleError as reason:
        row.missing = str(reason)


def _listed(tests: Sequence[str]) -> str:
    return ", ".join(f"`tests/{each}`" for each in tests) or "not tested yet"


def main(matrix: Matrix) -> None:
    """Inject the faults that the options of this process name, and print what came of each."""
    parser = argparse.ArgumentParser(description="Inject all faults in number, and print what came of each.")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(1_000_000))
    parser.add_argument("--minutes", type=float, default=30, help="what has not been injected by then is cut")
    parser.add_argument("--most", type=int, help="number of injections of each, if that is less than it is wanted")
    parser.add_argument("--write", type=Path, metavar="FILE", help="page that gets the table, if all are injected")
    parser.add_argument("names", nargs="*", help="words of the faults to inject; all without any")
    options = parser.parse_args()
    faults = matrix.faults
    if options.most:
        faults = [evolve(each, many=min(each.many, options.most)) for each in faults]
    chosen = [each for each in faults if not options.names or any(name in each.name for name in options.names)]
    if not chosen:
        parser.error(f"no fault is called so; there are: {', '.join(each.name for each in faults)}")
    # As in the tests: a shell starts what it puts into the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    be_patient()
    end = time.monotonic() + options.minutes * 60
    rows = [matrix.row(fault) for fault in chosen]
    # Each once, then as often as the time permits.
    for times in (1, None):
        for number, row in enumerate(rows):
            left = end - time.monotonic()
            # Most need less than their share, and leave the rest to others.
            run(row, options.seed, min(left, 3 * left / (len(rows) - number)), times)
            sys.stderr.write(f"{row}\n" + "".join(row.failures))
    most = [f"--most={options.most}"] if options.most else []
    given = " ".join([f"--seed={options.seed}", *most, *map(shlex.quote, options.names)])
    text = matrix.table(rows, given)
    sys.stdout.write(f"{text}\n")
    if options.write and not options.names:
        matrix.write(options.write, text)
    sys.exit(any(row.failures for row in rows))


MATRIX = Matrix("make test-faults", FAULTS, ELSEWHERE)

if __name__ == "__main__":
    main(MATRIX)

"""Sets a cluster up, injects all faults of a team's database, and prints what came of each.

Usage: python -m tests.team.matrix [--seed N] [--minutes N] [--write FILE] [NAME ...]
"""

import sys
from statistics import median

from attrs import define

from tests.faults.matrix import Matrix, Row, main
from tests.team.alone import PLACE, alone
from tests.team.catalogue import FAULTS
from tests.team.oracle import Survived

_WAYS = {"hosts": "several hosts in the URL", "PgBouncer": "PgBouncer and HAProxy"}
"""Ways of sessions to the leader, by the names of `Cluster.ways`."""


@define
class TeamRow(Row):
    """Outcome of one fault: sums, and the median and longest outage for each way."""

    @property
    def cells(self) -> list[str]:
        """See `Row.cells`."""
        survived = [each for each in self.outcomes.elements() if isinstance(each, Survived)]
        outages = [[time for each in survived for way, time in each.outages if way == name] for name in _WAYS]
        said = sorted({each.said for each in survived} - {""})
        counts = ("calls", "acknowledged", "refused")
        lost = sum(len(each.planted.lost) for each in survived)
        twice = sum(len(each.planted.twice) for each in survived)
        return [
            *(f"{sum(getattr(each, count) for each in survived):,}" for count in counts),
            # What is not planted is a failure.
            *(str(number) if survived and not self.failures else "" for number in (lost, twice)),
            *(f"{median(times):.1f} s, {max(times):.1f} s" if times else "" for times in outages),
            "; ".join(said + self.troubles),
        ]


MATRIX = Matrix(
    "make test-team",
    FAULTS,
    columns=(
        *("calls", "acknowledged", "refused", "lost", "twice"),
        *(f"outage, {way}" for way in _WAYS.values()),
        "",
    ),
    row=TeamRow,
)

if __name__ == "__main__":
    if not PLACE.is_dir():
        alone([sys.executable, "-m", "tests.team.matrix", *sys.argv[1:]])
    main(MATRIX)

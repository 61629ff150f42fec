"""The oracle notices what was lost and what is there twice, and a row of the table says so."""

from collections import Counter

from tests.faults.fault import Fault
from tests.team.matrix import TeamRow
from tests.team.oracle import Difference, Survived
from tests.unit.support.tables import cases


@cases
def test_missing_acknowledged_saves_are_lost_and_duplicates_are_noticed(
    acknowledged: list[str], stored: list[str], difference: Difference
) -> None:
    assert Difference.of(acknowledged, Counter(stored)) == difference


def test_a_row_sums_up_and_has_the_median_and_the_longest_outage() -> None:
    row = TeamRow(Fault("killed", lambda _folder, _noise: iter(()), 0, 3))
    for number, seconds in enumerate((1.0, 2.0, 6.0)):
        row.outcomes[Survived(1_000, 900 + number, 1, (("hosts", seconds), ("PgBouncer", 3.0)))] += 1
    assert str(row) == "| killed | 3 | 3,000 | 2,703 | 3 | 0 | 0 | 2.0 s, 6.0 s | 3.0 s, 3.0 s |  |"


def test_a_row_counts_what_was_planted() -> None:
    row = TeamRow(Fault("planted", lambda _folder, _noise: iter(()), 0, 1))
    row.outcomes[Survived(9, 8, 0, said="found", planted=Difference(("a",), ("b",)))] += 1
    assert str(row) == "| planted | 1 | 9 | 8 | 0 | 1 | 1 |  |  | found |"


def test_a_row_that_failed_does_not_say_that_nothing_was_lost() -> None:
    row = TeamRow(Fault("killed", lambda _folder, _noise: iter(()), 0, 2), failures=["n1: 1 lost, 0 twice"])
    row.outcomes[Survived(9, 8, 0)] += 1
    assert str(row) == "| killed | 2 | 9 | 8 | 0 |  |  |  |  | **FAILED 1** |"

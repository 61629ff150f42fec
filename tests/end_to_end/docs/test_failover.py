"""The table of docs/failover.md is that of `make test-team`."""

from pathlib import Path

from tests.team.catalogue import FAULTS
from tests.team.matrix import MATRIX

PAGE = (Path(__file__).parents[3] / "docs" / "failover.md").read_text("utf-8")


def test_its_table_has_every_fault() -> None:
    begin, end = MATRIX.marks
    table = PAGE.partition(begin)[2].partition(end)[0]
    told = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")]
    assert told == ["fault", *(each.name for each in FAULTS)]
    assert "FAILED" not in table

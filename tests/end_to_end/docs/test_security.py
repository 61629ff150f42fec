"""Tests that SECURITY.md names exist, and its table of faults is that of `make test-faults`."""

import re
from pathlib import Path

from tests.faults.catalogue import ELSEWHERE, FAULTS
from tests.faults.matrix import MATRIX

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")


def test_every_test_that_it_names_exists() -> None:
    named = re.findall(r"`(tests/[^`:]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 10
    files = {file: (ROOT / file).read_text("utf-8") if (ROOT / file).is_file() else "" for file, _ in named}
    missing = [
        (file, test) for file, test in named if not files[file] or (f"def {test}(" not in files[file] and test)
    ]
    assert missing == []


def test_its_table_has_every_fault() -> None:
    begin, end = MATRIX.marks
    table = PAGE.partition(begin)[2].partition(end)[0]
    told = [line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")]
    assert told == ["fault", *(each.name for each in FAULTS), *(each.name for each in ELSEWHERE)]

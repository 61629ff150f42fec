"""Every fault is injected a few times; `make test-faults` does it in number."""

import signal
from collections import Counter
from collections.abc import Callable, Hashable
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.faults import costs
from tests.faults.catalogue import ELSEWHERE, FAULTS
from tests.faults.costs import Operation
from tests.faults.fault import Fault, Injections, NotPossibleError
from tests.faults.matrix import Matrix, Row, inject, run
from tests.unit.support.tables import cases
from tests.waiting import HANG_SECONDS

TESTS = Path(__file__).parents[1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("fault", [each for each in FAULTS if each.few], ids=lambda each: each.name)
def test_nothing_is_lost_by(fault: Fault) -> None:
    outcomes: Counter[Hashable] = Counter()
    try:
        # Chance belongs to `make test-faults`; here the same commit gives the same answer.
        inject(fault, fault.name, fault.few, outcomes)
    except NotPossibleError as reason:
        pytest.skip(str(reason))
    assert outcomes.total() == fault.few


def test_tests_that_inject_other_faults_exist() -> None:
    named = [test for each in ELSEWHERE for test in each.tests]
    assert [test for test in named if not (TESTS / test).is_file()] == []


@pytest.mark.parametrize(
    ("name", "unit"), [("snippet", "\n"), ("snippet", "a "), ("marks", "a "), ("match", "\u00e9 ")]
)
def test_a_text_costs_no_more_than_its_length_again(name: str, unit: str) -> None:
    (operation,) = (each for each in costs.OF_TEXTS if each.name == name)
    assert costs.cost(operation, unit) == "its cost grows no faster than its length"


def test_a_cost_that_grows_with_the_cube_of_the_length_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "_ATTEMPTS", 1)

    def cubed(text: str) -> None:
        for _ in product(text, repeat=3):
            pass

    with pytest.raises(AssertionError, match=r"^cubed: 4 times 'a' costs \d+ times as much$"):
        costs.cost(Operation("cubed", 200, cubed), "a")


def losing(_folder: Path, _noise: Random) -> Injections:
    yield "kept"
    raise AssertionError("lost")


def endless(_folder: Path, _noise: Random) -> Injections:
    yield "kept"
    # As the timer does.
    signal.raise_signal(signal.SIGALRM)
    yield "never"


def impossible(_folder: Path, _noise: Random) -> Injections:
    raise NotPossibleError("this user may not mount a volume")
    yield


@cases
def test_a_row_says_what_came_of_a_fault(inject: Callable[[Path, Random], Injections], said: str) -> None:
    row = Row(Fault("a fault", inject, 1, 10))
    run(row, seed=1, seconds=HANG_SECONDS)
    assert str(row) == f"| a fault | {said} |"


def test_the_table_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    page, matrix = tmp_path / "page.md", Matrix("make test-this", ())
    begin, end = matrix.marks
    page.write_text(f"Before.\n{begin}\nold\n{end}\nAfter.\n")
    matrix.write(page, "new")
    assert page.read_text() == f"Before.\n{begin}\nnew\n{end}\nAfter.\n"

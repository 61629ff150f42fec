"""Suites of authors, as the README of the contracts shows them, run by one pytest for all."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from lamella_contracts import ObservationStorageContract
from lamella_contracts.contracts import STORAGE_CONTRACTS
from tests.end_to_end.contracts.nested_pytest import Outcome, Report, read_report, run_pytest
from tests.once import made_once

ROOT = Path(__file__).parents[3]

TOKENIZER = """
import pytest
from lamella_contracts import TokenizerContract

class Halves:
    def count(self, text): return len(text) / 2

class TestHalves(TokenizerContract):
    known_gaps = {gaps}
    def make_tokenizer(self): return Halves()
"""
PLAIN = TOKENIZER.format(gaps={})
SOFTER = """
class Softer:
    def __init_subclass__(cls): pass
    def test_a_count_is_a_whole_number(self): pass
"""
BENT = {
    "test_a_changed_clause": f"{PLAIN}\nTestHalves.test_a_count_is_a_whole_number = lambda self: None",
    "test_a_dropped_clause": f"{PLAIN}\nTestHalves.test_a_count_is_a_whole_number = None",
    "test_changed_clauses": f"{PLAIN}\nTestHalves.clauses = classmethod(lambda cls: {{}})",
    "test_a_changed_fixture": f"{PLAIN}\nTestHalves.tokenizer = pytest.fixture(lambda self: None)",
    "test_a_mixin_that_checks_nothing": SOFTER + PLAIN.replace("(Tok", "(Softer, Tok"),
}
"""Classes that the contract could not refuse when they were made."""
GAPS = {"a_count_is_a_whole_number": "halves", "any_other_text_counts_something": "halves"}
HOOKED = {
    "a_broken_connection_is_a_storage_error": "break_connection",
    "a_storage_recovers_from_a_broken_connection": "break_connection",
    "a_lost_answer_is_told": "lose_answer",
    "a_retry_after_a_lost_answer_saves_once": "lose_answer",
}
"""Clauses that need an optional hook of every author."""
FEW = (*HOOKED, "closing_twice_is_harmless")
"""Clauses of the five lines: the scratch database runs all of them, over the same storage."""
COMPARED = "any_history_agrees_with_the_model"
"""Takes long, and says nothing about the scratch database."""
LARGE = (
    "a_large_project_has_stop_words_of_its_own",
    "ranking_agrees_in_a_large_project",
    "ranking_agrees_where_words_are_rare",
    "the_oldest_of_many_are_ranked",
)
"""Take longest of all; what the example does for many rows is done by code that the storage in memory uses too."""


def snippet(beginning: str) -> str:
    """Return the Python of the README that begins like this."""
    return (
        beginning
        + (ROOT / "contracts/README.md")
        .read_text("utf-8")
        .partition(f"```python\n{beginning}")[2]
        .partition("```")[0]
    )


def example(name: str) -> str:
    """Return a program of the examples that the README names."""
    return (ROOT / f"examples/{name}.py").read_text("utf-8")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Report:
    """Outcomes of all modules that the tests below look at, from one run for all workers.

    A process for each module would take a minute.
    """
    return read_report(made_once(tmp_path_factory, worker_id, "authors", run_modules))


def run_modules(folder: Path) -> None:
    """Write the modules of authors into `folder`, and run their tests."""
    opened = "def open_storage(self, tmp_path): return ListStorage()"
    stored = [f"class Test{each.__name__}({each.__name__}):\n    {opened}" for each in STORAGE_CONTRACTS]
    modules = BENT | {
        "my_package": "from lamella_adapters import memory\nMyStorage = lambda _: memory.InMemoryStorage()",
        "list_storage": example("list_storage"),
        "test_gaps": TOKENIZER.format(gaps=GAPS),
        "test_no_gap": TOKENIZER.format(gaps={"no_text_raises": "of old"}),
        "test_values": PLAIN,
        "test_forgotten": "from lamella_contracts import *\nclass TestIt(ProjectRegistryContract): pass",
        "test_five_lines": snippet("from my_package import MyStorage\n"),
        "test_scratch": example("scratch_database"),
        "test_mutants": snippet("# test_mutants.py"),
        "test_my_mutants": snippet("# test_my_mutants.py"),
        "test_example": "\n".join(["from list_storage import *", "from lamella_contracts import *", *stored]),
    }
    for name, module in modules.items():
        (folder / f"{name}.py").write_text(module, encoding="utf-8")
    run_pytest(
        folder,
        *(f"{each}.py" for each in (*BENT, "test_gaps", "test_scratch", "test_example")),
        "test_mutants.py",
        "test_my_mutants.py",
        f"--deselect=test_scratch.py::TestMyStorage::test_{COMPARED}",
        *(f"--deselect=test_example.py::TestObservationSearchContract::test_{each}" for each in LARGE),
        *(f"test_five_lines.py::TestMyStorage::test_{each}" for each in FEW),
        "test_no_gap.py::TestHalves::test_no_text_raises",
        "test_values.py::TestHalves::test_a_count_is_a_whole_number",
        "test_forgotten.py::TestIt::test_a_place_keeps_its_project",
    )


@pytest.mark.parametrize("module", BENT)
def test_a_class_that_bends_its_contract_after_all_fails(module: str, report: Report) -> None:
    seen = {
        (each.kind, "ContractRuleError: TestHalves overrides " in each.said) for each in report[module].values()
    }
    assert seen == {("error", True)}


def test_a_known_gap_is_expected_to_fail(report: Report) -> None:
    outcomes = dict(report["test_gaps"])
    gaps = {id: outcomes.pop(f"test_{id}") for id in GAPS}
    assert [(each.kind, each.said) for each in gaps.values()] == [("pytest.xfail", "halves\n")] * 2
    assert list(outcomes.values()) == [Outcome("passed")] * 4


def test_a_known_gap_that_is_none_fails(report: Report) -> None:
    (outcome,) = report["test_no_gap"].values()
    assert outcome.kind == "failure"
    assert "[XPASS(strict)] of old" in outcome.said


def test_a_failing_clause_shows_its_values(report: Report) -> None:
    (outcome,) = report["test_values"].values()
    assert "assert <class 'float'> is int" in outcome.said


def test_forgetting_to_open_the_storage_says_so(report: Report) -> None:
    (outcome,) = report["test_forgotten"].values()
    assert "TestIt must define open_storage(self, tmp_path)." in outcome.said


def test_the_five_lines_of_the_readme_prove_an_adapter(report: Report) -> None:
    assert kinds(report["test_five_lines"]) == kinds_of(FEW)


def test_the_scratch_database_of_the_readme_serves_every_clause(report: Report) -> None:
    expected = [id for id in ObservationStorageContract.clauses() if id != COMPARED]
    outcomes = kinds(report["test_scratch"])
    unlike = {
        "a_save_that_cannot_be_synced_fails": "pytest.skip",
        "commits_outlive_a_killed_process": "pytest.skip",
        "transactions_of_processes_come_one_after_another": "pytest.xfail",
    }
    assert {id: outcomes.pop(f"test_{id}") for id in unlike} == unlike
    assert outcomes == kinds_of(each for each in expected if each not in unlike)


@pytest.mark.parametrize("module", ["test_mutants", "test_my_mutants"])
def test_the_mutants_of_the_readme_are_noticed(module: str, report: Report) -> None:
    assert list(report[module].values()) == [Outcome("passed")]


def test_the_worked_example_of_the_readme_keeps_the_contracts(report: Report) -> None:
    expected = [id for contract in STORAGE_CONTRACTS for id in contract.clauses() if id not in LARGE]
    assert kinds(report["test_example"]) == kinds_of(expected)


def test_a_clause_without_its_hook_is_skipped_and_says_which(report: Report) -> None:
    outcomes = report["test_five_lines"]
    assert [id for id, hook in HOOKED.items() if f"{hook} is not defined" not in outcomes[f"test_{id}"].said] == []


def kinds(outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    """Return how each test ended."""
    return {name: each.kind for name, each in outcomes.items()}


def kinds_of(clauses: Iterable[str]) -> dict[str, str]:
    """Return how each clause ends for an author without hooks, whose storage keeps the contract."""
    return {f"test_{id}": "pytest.skip" if id in HOOKED else "passed" for id in clauses}

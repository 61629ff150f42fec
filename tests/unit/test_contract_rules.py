"""What a subclass of a contract may say, and that its README says the same as the suite."""

import re
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import (
    ActivityLogContract,
    CodeLedgerContract,
    Contract,
    ContractRuleError,
    ConversationsContract,
    EmbedderContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    TokenizerContract,
    VectorIndexContract,
)
from lamella_contracts.fixtures.readme_table import clause_table

CONTRACTS = (
    ObservationStorageContract,
    ObservationSearchContract,
    ProjectRegistryContract,
    VectorIndexContract,
    ConversationsContract,
    CodeLedgerContract,
    ActivityLogContract,
    TokenizerContract,
    EmbedderContract,
)
README = Path(__file__).parents[2] / "contracts" / "README.md"


def run_pytest(module: str, folder: Path, *options: str) -> str:
    """What pytest prints of a module in an empty folder, without a conftest, a marker or a plugin of ours."""
    (folder / "test_it.py").write_text(module, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *options, "test_it.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_overriding_a_clause_raises() -> None:
    with pytest.raises(ContractRuleError, match="overrides the clause 'times_are_aware_and_in_utc'"):

        class Tested(ObservationStorageContract):
            def test_times_are_aware_and_in_utc(self) -> None:  # type: ignore[override]
                pass


def test_overriding_a_clause_by_a_mixin_raises() -> None:
    class Softer:
        def test_closing_twice_is_harmless(self) -> None:
            pass

    with pytest.raises(ContractRuleError, match="known_gaps"):
        type("Tested", (Softer, ObservationStorageContract), {})


def test_taking_a_clause_away_raises() -> None:
    with pytest.raises(ContractRuleError, match="overrides"):
        type("Tested", (TokenizerContract,), {"test_no_text_raises": None})


def test_overriding_a_clause_two_classes_down_raises() -> None:
    class Ours(TokenizerContract):
        pass

    with pytest.raises(ContractRuleError, match="overrides"):
        type("Tested", (Ours,), {"test_no_text_raises": lambda _: None})


@pytest.mark.parametrize("own", ["subject", "tokenizer", "clauses", "_expected_gap", "__init_subclass__"])
def test_overriding_what_is_not_an_authors_raises(own: str) -> None:
    with pytest.raises(ContractRuleError, match=f"overrides '{own}', which is the contract's own"):
        type("Tested", (TokenizerContract,), {own: lambda *_: None})


def test_a_mark_on_the_class_raises() -> None:
    with pytest.raises(ContractRuleError, match="has a mark"):

        class Tested(TokenizerContract):
            pytestmark = pytest.mark.skip


def test_a_mark_by_a_mixin_raises() -> None:
    class Skipped:
        pytestmark = pytest.mark.skip

    with pytest.raises(ContractRuleError, match="has a mark"):
        type("Tested", (Skipped, TokenizerContract), {})


def test_a_mark_by_a_decorator_raises() -> None:
    with pytest.raises(ContractRuleError, match="has a mark"):

        @pytest.mark.skip
        class Tested(TokenizerContract):
            pass


def test_an_adapter_may_have_tests_of_its_own() -> None:
    class Tested(TokenizerContract):
        def test_ours(self) -> None:
            pass

    assert Tested.clauses().keys() == TokenizerContract.clauses().keys()


def test_a_gap_in_no_clause_raises() -> None:
    with pytest.raises(ContractRuleError, match="'no_such_clause', which is no clause"):
        type("Tested", (TokenizerContract,), {"known_gaps": {"no_such_clause": "reason"}})


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_gap_without_a_reason_raises(reason: str) -> None:
    with pytest.raises(ContractRuleError, match="gives no reason"):
        type("Tested", (TokenizerContract,), {"known_gaps": {"no_text_raises": reason}})


def test_known_gaps_are_inherited_and_named_like_clauses() -> None:
    class Tested(TokenizerContract):
        known_gaps: ClassVar = {"no_text_raises": "surrogates"}

    class Below(Tested):
        pass

    assert Below.known_gaps == {"no_text_raises": "surrogates"}


TOKENIZER = """
from lamella_contracts import TokenizerContract

class Halves:
    def count(self, text): return len(text) / 2

class TestHalves(TokenizerContract):
    known_gaps = {gaps}
    def make_tokenizer(self): return Halves()
"""


@pytest.mark.parametrize(
    "change",
    [
        "TestHalves.test_a_count_is_a_whole_number = lambda self: None",
        "TestHalves.test_a_count_is_a_whole_number = None",
        "TestHalves.clauses = classmethod(lambda cls: {})",
        "TestHalves.tokenizer = pytest.fixture(lambda self: None)",
    ],
)
def test_a_class_that_was_changed_after_it_was_made_fails(change: str, tmp_path: Path) -> None:
    module = f"import pytest\n{TOKENIZER.format(gaps={})}\n{change}\n"
    printed = run_pytest(module, tmp_path)
    assert "ContractRuleError: TestHalves overrides " in printed
    assert "passed" not in printed


def test_a_contract_behind_a_mixin_that_checks_nothing_fails(tmp_path: Path) -> None:
    softer = (
        "class Softer:\n    def __init_subclass__(cls): pass\n    def test_a_count_is_a_whole_number(self): pass\n"
    )
    module = softer + TOKENIZER.format(gaps={}).replace("(TokenizerContract)", "(Softer, TokenizerContract)")
    printed = run_pytest(module, tmp_path)
    assert "ContractRuleError: TestHalves overrides" in printed
    assert "passed" not in printed


def test_a_known_gap_is_expected_to_fail(tmp_path: Path) -> None:
    gaps = {"a_count_is_a_whole_number": "halves", "any_other_text_counts_something": "halves"}
    printed = run_pytest(TOKENIZER.format(gaps=gaps), tmp_path)
    assert re.search(r"XFAIL .*a_count_is_a_whole_number - halves", printed)
    assert "5 passed, 2 xfailed" in printed


def test_a_known_gap_that_is_none_fails(tmp_path: Path) -> None:
    gaps = {"no_text_raises": "of old"}
    printed = run_pytest(TOKENIZER.format(gaps=gaps), tmp_path, "-k", "no_text_raises")
    assert "[XPASS(strict)] of old" in printed
    assert "1 failed" in printed


def test_a_failing_clause_shows_its_values(tmp_path: Path) -> None:
    printed = run_pytest(TOKENIZER.format(gaps={}), tmp_path, "-k", "whole_number")
    assert "assert <class 'float'> is int" in printed


def test_forgetting_to_open_the_storage_says_so(tmp_path: Path) -> None:
    module = "from lamella_contracts import ProjectRegistryContract\nclass TestIt(ProjectRegistryContract): pass\n"
    printed = run_pytest(module, tmp_path, "-k", "place_keeps")
    assert "TestIt must define open_storage(self, tmp_path)." in printed


def test_the_five_lines_of_the_readme_prove_an_adapter(tmp_path: Path) -> None:
    start = "```python\nfrom my_package import MyStorage\n"
    five_lines = README.read_text("utf-8").partition(start)[2].partition("```")[0]
    opened = "from lamella_adapters.memory import InMemoryStorage\nMyStorage = lambda folder: InMemoryStorage()\n"
    printed = run_pytest(opened + five_lines, tmp_path, "-k", "not agree")
    assert re.search(r"^\d+ passed, \d+ deselected", printed, re.MULTILINE), printed[-2_000:]


def test_the_worked_example_of_the_readme_keeps_the_contracts(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(# example\.py.*?)```", README.read_text("utf-8"), re.DOTALL)
    contracts = "\n".join(
        f"class Test{number}({contract.__name__}):\n    def open_storage(self, tmp_path): return ListStorage()"
        for number, contract in enumerate(CONTRACTS[:-2])
    )
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    module = f"from example import ListStorage\nfrom lamella_contracts import *\n{contracts}\n"
    printed = run_pytest(module, tmp_path)
    assert re.search(r"^\d+ passed in", printed, re.MULTILINE), printed[-4_000:]


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_the_tables_of_the_readme_are_those_of_the_suite(contract: type[Contract]) -> None:
    section = README.read_text("utf-8").partition(f"### `{contract.__name__}`\n\n")[2].partition("\n\n")[0]
    assert section.splitlines() == list(clause_table(contract))


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_every_clause_says_what_is_wrong_when_it_fails(contract: type[Contract]) -> None:
    assert [clause.id for clause in contract.clauses().values() if not clause.fault.endswith(".")] == []


def test_every_capability_has_a_clause() -> None:
    every = {clause.capability for contract in CONTRACTS for clause in contract.clauses().values()}
    assert every == {None, *Capability}


def test_the_readme_names_every_capability() -> None:
    assert [each.name for each in Capability if f"| `{each.name}` |" not in README.read_text("utf-8")] == []


def test_a_notebook_is_closed_after_a_failing_clause(tmp_path: Path) -> None:
    closed = []

    class Closing(InMemoryStorage):
        def close(self) -> None:
            closed.append(self)

    class Tested(ObservationStorageContract):
        def open_storage(self, tmp_path: Path) -> Storage:
            del tmp_path
            return Closing()

    with pytest.raises(ZeroDivisionError), Tested().subject(tmp_path):
        raise ZeroDivisionError
    assert len(closed) == 1

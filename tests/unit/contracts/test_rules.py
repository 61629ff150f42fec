"""Rules for subclasses of a contract, and its README, which says the same as the suite."""

from pathlib import Path
from typing import ClassVar

import pytest

from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import (
    Contract,
    ContractRuleError,
    EmbedderContract,
    HookReadsContract,
    ObservationStorageContract,
    TokenizerContract,
    TranscriptsContract,
)
from lamella_contracts.contracts import STORAGE_CONTRACTS
from lamella_contracts.fixtures.clause_tables import clause_page

CONTRACTS: tuple[type[Contract], ...] = (
    *STORAGE_CONTRACTS,
    TokenizerContract,
    EmbedderContract,
    HookReadsContract,
    TranscriptsContract,
)
README = Path(__file__).parents[3] / "contracts" / "README.md"


def test_overriding_a_clause_raises() -> None:
    with pytest.raises(ContractRuleError, match="overrides the clause 'every_field_comes_back'"):

        class Tested(ObservationStorageContract):
            def test_every_field_comes_back(self) -> None:  # type: ignore[override]
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


def test_the_page_of_clauses_is_that_of_the_suite() -> None:
    assert README.with_name("CLAUSES.md").read_text("utf-8") == clause_page()


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

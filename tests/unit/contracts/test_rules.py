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
from tests.unit.support.tables import cases

CONTRACTS: tuple[type[Contract], ...] = (
    *STORAGE_CONTRACTS,
    TokenizerContract,
    EmbedderContract,
    HookReadsContract,
    TranscriptsContract,
)
README = Path(__file__).parents[3] / "contracts" / "README.md"


class Ours(TokenizerContract):
    """A class of an author, which keeps the rules."""


class Softer:
    """A mixin with a clause of its own."""

    test_no_text_raises = None


class Skipped:
    """A mixin with a mark."""

    pytestmark = pytest.mark.skip


@cases
def test_a_class_bending_its_contract_raises(bases: tuple[type, ...], body: dict[str, object], why: str) -> None:
    with pytest.raises(ContractRuleError, match=why):
        type("Tested", bases, body)


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

"""Each broken adapter is noticed by the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts.mutants.by_contract import MUTANTS, Contracts
from lamella_contracts.mutants.mutant import Mutant

EACH = [
    pytest.param(contracts, mutant, id=f"{contracts[0].__name__}-{mutant}")
    for contracts, mutants in MUTANTS.items()
    for mutant in mutants
]


@pytest.mark.parametrize(("contracts", "mutant"), EACH)
def test_a_fault_is_noticed_by_clauses_that_name_it(contracts: Contracts, mutant: Mutant, tmp_path: Path) -> None:
    assert mutant.noticed_by(tmp_path, *contracts) == mutant.trips


@pytest.mark.parametrize("contracts", MUTANTS, ids=lambda contracts: contracts[0].__name__)
def test_every_clause_is_tripped_by_some_mutant(contracts: Contracts) -> None:
    clauses = {id for contract in contracts for id in contract.clauses()}
    assert {id for mutant in MUTANTS[contracts] for id in mutant.trips} == clauses

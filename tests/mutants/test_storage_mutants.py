"""Each broken storage is noticed by the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import (
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
)
from tests.mutants import (
    context,
    duplicates,
    filtering,
    finding,
    keeping,
    looking_up,
    merging,
    neighbouring,
    opening,
    projects,
    racing,
    ranking,
    rarities,
    saving,
    timelines,
    words,
)
from tests.mutants.breeding import Mutant
from tests.mutants.faults import tripped

MODULES = (
    saving,
    duplicates,
    racing,
    looking_up,
    keeping,
    finding,
    filtering,
    neighbouring,
    timelines,
    ranking,
    rarities,
    words,
    context,
    projects,
    merging,
    opening,
)
MUTANTS: tuple[Mutant, ...] = tuple(mutant for module in MODULES for mutant in module.MUTANTS)


CONTRACTS = (ObservationStorageContract, ObservationSearchContract, ProjectRegistryContract)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    assert mutant.noticed_by(tmp_path, *CONTRACTS) == mutant.trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    clauses = {id for contract in CONTRACTS for id in contract.clauses()}
    assert (tripped(MUTANTS) - clauses, clauses - tripped(MUTANTS)) == (set(), set())

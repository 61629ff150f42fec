"""Each broken storage is noticed by exactly the clauses that name its fault."""

from pathlib import Path

import pytest
from hypothesis import Phase

from lamella_contracts import (
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
)
from lamella_contracts.fixtures import strategies
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
from tests.mutants.breeding import COSTLY, Mutant, clauses_that_notice

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


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That a comparing clause fails is enough; how short it can be made would take seconds.
    monkeypatch.setattr(strategies, "PHASES", (Phase.generate,))
    assert clauses_that_notice(mutant, tmp_path) - mutant.chance == mutant.trips | mutant.compared


def test_every_clause_is_tripped_by_some_mutant() -> None:
    contracts = (ObservationStorageContract, ObservationSearchContract, ProjectRegistryContract)
    clauses = {id for contract in contracts for id in contract.clauses()}
    tripped = {id for mutant in MUTANTS for id in mutant.trips | mutant.compared}
    assert (tripped - clauses, clauses - tripped) == (set(), set())
    assert clauses >= COSTLY

"""Each storage that breaks vectors is noticed by exactly the clauses that name its fault."""

from pathlib import Path

import pytest
from hypothesis import Phase

from lamella_contracts import VectorIndexContract
from lamella_contracts.fixtures import strategies
from tests.mutants import adopting_vectors, finding_vectors, keeping_vectors
from tests.mutants.breeding import Mutant, failing
from tests.mutants.keeping_vectors import AGREEMENT, EVERY

MUTANTS: tuple[Mutant, ...] = (
    *adopting_vectors.MUTANTS,
    *keeping_vectors.MUTANTS,
    *finding_vectors.MUTANTS,
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That a comparing clause fails is enough; how short it can be made would take seconds.
    monkeypatch.setattr(strategies, "PHASES", (Phase.generate,))
    opening = {"open_storage": lambda _, tmp_path: mutant.open(tmp_path)}
    contract = type("Tested", (VectorIndexContract,), opening)()
    asked = [each for each in contract.clauses() if each != AGREEMENT or mutant.compared]
    assert failing(contract, asked, tmp_path) == mutant.trips | mutant.compared


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert {id for mutant in MUTANTS for id in mutant.trips | mutant.compared} == EVERY

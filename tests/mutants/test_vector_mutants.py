"""Each storage that breaks vectors is noticed by the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import VectorIndexContract
from tests.mutants import adopting_vectors, finding_vectors, keeping_vectors
from tests.mutants.breeding import Mutant
from tests.mutants.faults import tripped
from tests.mutants.keeping_vectors import EVERY

MUTANTS: tuple[Mutant, ...] = (
    *adopting_vectors.MUTANTS,
    *keeping_vectors.MUTANTS,
    *finding_vectors.MUTANTS,
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    assert mutant.noticed_by(tmp_path, VectorIndexContract) == mutant.trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert tripped(MUTANTS) == EVERY

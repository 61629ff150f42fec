"""Each storage that breaks the ledger is noticed by the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import CodeLedgerContract
from tests.mutants import recording, telling, walking_back
from tests.mutants.bookkeeping import EVERY, Mutant
from tests.mutants.faults import tripped

MUTANTS: tuple[Mutant, ...] = (*recording.MUTANTS, *walking_back.MUTANTS, *telling.MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    assert mutant.noticed_by(tmp_path, CodeLedgerContract) == mutant.trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert tripped(MUTANTS) == EVERY

"""Each storage that breaks the ledger is noticed by exactly the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import CodeLedgerContract
from tests.mutants import recording, telling, walking_back
from tests.mutants.bookkeeping import AGREEMENT, EVERY, Mutant

MUTANTS: tuple[Mutant, ...] = (*recording.MUTANTS, *walking_back.MUTANTS, *telling.MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    noticed = mutant.noticed_by(CodeLedgerContract, tmp_path, comparing=AGREEMENT)
    assert noticed == mutant.trips | mutant.compared


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert {id for mutant in MUTANTS for id in mutant.trips | mutant.compared} == EVERY

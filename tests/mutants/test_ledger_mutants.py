"""Each storage that breaks the ledger is noticed by exactly the clauses that name its fault."""

from pathlib import Path

import pytest
from hypothesis import Phase

from lamella_contracts import CodeLedgerContract, strategies

from . import recording, telling, walking_back
from .bookkeeping import AGREEMENT, EVERY, Mutant
from .breeding import failing

MUTANTS: tuple[Mutant, ...] = (*recording.MUTANTS, *walking_back.MUTANTS, *telling.MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(
    mutant: Mutant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # That a comparing clause fails is enough; how short it can be made would take seconds.
    monkeypatch.setattr(strategies, "PHASES", (Phase.generate,))
    contract = type("Tested", (CodeLedgerContract,), {"open_storage": mutant.opener()})()
    asked = [each for each in contract.clauses() if each != AGREEMENT or mutant.compared]
    assert failing(contract, asked, tmp_path) == mutant.trips | mutant.compared


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert {id for mutant in MUTANTS for id in mutant.trips | mutant.compared} == EVERY

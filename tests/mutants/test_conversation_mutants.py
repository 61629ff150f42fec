"""Each storage that breaks conversations is noticed by exactly the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import ConversationsContract
from tests.mutants import finding_messages, keeping_messages, moving_messages, titling
from tests.mutants.conversing import EVERY, RANKING, Mutant

MUTANTS: tuple[Mutant, ...] = (
    *keeping_messages.MUTANTS,
    *finding_messages.MUTANTS,
    *moving_messages.MUTANTS,
    *titling.MUTANTS,
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    noticed = mutant.noticed_by(ConversationsContract, tmp_path, comparing=RANKING)
    assert noticed == mutant.trips | mutant.compared


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert {id for mutant in MUTANTS for id in mutant.trips | mutant.compared} == EVERY

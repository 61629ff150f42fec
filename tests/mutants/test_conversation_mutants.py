"""Each storage that breaks conversations is noticed by the clauses that name its fault."""

from pathlib import Path

import pytest

from lamella_contracts import ConversationsContract
from tests.mutants import finding_messages, keeping_messages, moving_messages, titling
from tests.mutants.conversing import EVERY, Mutant
from tests.mutants.faults import tripped

MUTANTS: tuple[Mutant, ...] = (
    *keeping_messages.MUTANTS,
    *finding_messages.MUTANTS,
    *moving_messages.MUTANTS,
    *titling.MUTANTS,
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_fault_is_noticed_by_the_clauses_that_name_it(mutant: Mutant, tmp_path: Path) -> None:
    assert mutant.noticed_by(tmp_path, ConversationsContract) == mutant.trips


def test_every_clause_is_tripped_by_some_mutant() -> None:
    assert tripped(MUTANTS) == EVERY

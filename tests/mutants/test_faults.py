"""Mutants are run by the clauses that must notice them, and by a sample of the others."""

import lamella_contracts
from lamella_contracts import Contract
from lamella_contracts.mutants.fault import NEVER_SAMPLED, SAMPLE, asked

CLAUSES = [f"clause {number}" for number in range(50)]


def test_what_is_never_sampled_is_a_clause() -> None:
    contracts = [each for each in vars(lamella_contracts).values() if isinstance(each, type)]
    clauses = {id for each in contracts if issubclass(each, Contract) for id in each.clauses()}
    assert NEVER_SAMPLED - clauses == set()


def test_the_clauses_that_must_notice_are_asked_with_a_sample_of_the_others() -> None:
    drawn = asked("a fault", {CLAUSES[1]}, [*CLAUSES, *NEVER_SAMPLED])
    assert drawn[0] == CLAUSES[1]
    assert len(set(drawn)) == 1 + SAMPLE
    assert set(drawn) <= set(CLAUSES)


def test_a_sample_is_the_same_each_time_and_another_for_another_fault() -> None:
    one, again, other = (asked(fault, {CLAUSES[1]}, CLAUSES) for fault in ("one", "one", "other"))
    assert one == again
    assert set(one) != set(other)


def test_all_clauses_are_asked_where_nothing_is_wrong() -> None:
    assert set(asked("nothing", (), [*CLAUSES, *NEVER_SAMPLED])) == set(CLAUSES)

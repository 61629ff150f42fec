"""Base of all mutants: a fault in words, the clauses that must notice it, and some that must not."""

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import Phase, settings

from lamella_contracts.contract import Contract, ContractRuleError
from lamella_contracts.fixtures import strategies

SAMPLE = 12
"""Number of clauses that a mutant must not trip, and that are asked beside those that it must trip."""

HISTORY = "any_history_agrees_with_the_model"

COMPARING = frozenset(
    {
        HISTORY,
        "any_ledger_agrees_with_the_model",
        "messages_rank_as_in_the_model",
        "nearness_agrees_with_the_model",
        "ranking_agrees_in_a_large_project",
        "ranking_agrees_where_words_are_rare",
        "ranking_agrees_with_the_model",
        "rarities_agree_with_the_model",
    }
)
"""Clauses that compare with the model. They notice most faults and name none.

All but those in a large project and where words are rare draw their examples. Only a few faults list one of these
clauses: those that nearly every example shows.
"""

MORE_EXAMPLES = 20
"""Factor by which more examples are drawn than by the contract itself, until one shows the fault.

Which examples are drawn depends on the version of Hypothesis and on the modules that are imported, even if nothing
else is left to chance. A fault that is found by the tenth example on average is found by one of a thousand.
"""

RACING = frozenset(
    {
        "clones_that_meet_make_one_project",
        "reads_during_writes_see_whole_memories",
        "threads_count_the_same",
        "threads_make_the_same_vectors",
        "threads_that_meet_at_a_place_agree",
        "threads_that_put_lose_nothing",
        "transactions_of_processes_come_one_after_another",
        "transactions_of_threads_come_one_after_another",
    }
)
"""Clauses with threads or processes. Whether another fault shows in them depends on how these are scheduled."""

SLOW = frozenset(
    {
        "a_count_is_a_whole_number",
        "a_large_project_has_stop_words_of_its_own",
        "a_save_that_cannot_be_synced_fails",
        "any_other_text_counts_something",
        "any_query_has_an_answer",
        "any_text_can_be_looked_for_in_messages",
        "followers_take_no_place_of_hits",
        "no_text_raises",
        "scores_are_exact",
        "strength_means_the_same_in_every_project",
        "the_oldest_of_many_are_ranked",
    }
)
"""Clauses that take 50 ms and more while nothing is wrong."""

NEVER_SAMPLED = COMPARING | RACING | SLOW


def naming_clauses(contract: type[Contract]) -> frozenset[str]:
    """Return the clauses of `contract` that name a fault, which those of `COMPARING` don't."""
    return frozenset(contract.clauses()) - COMPARING


def asked(fault: str, trips: Collection[str], clauses: Iterable[str]) -> list[str]:
    """Return the clauses to run: `trips`, and a sample of the others.

    A hash of the fault and the clause chooses the sample, so it is the same in every run and another one for each
    fault. Where nothing is wrong, all clauses but those of `NEVER_SAMPLED` are run.
    """
    others = set(clauses) - set(trips) - NEVER_SAMPLED
    drawn = sorted(others, key=lambda clause: sha256(f"{fault}: {clause}".encode()).digest())
    return [*sorted(trips), *(drawn[:SAMPLE] if trips else drawn)]


def failing(ids: Iterable[str], contracts: Sequence[Contract], folder: Path) -> set[str]:
    """Return which of these clauses fail, each in a folder of its own below `folder`. Skipped ones don't."""
    tested = {id: (contract, clause) for contract in contracts for id, clause in contract.clauses().items()}
    failed = set()
    for id in ids:
        contract, clause = tested[id]
        (folder / id).mkdir()
        try:
            with contract.subject(folder / id) as subject, suppress(pytest.skip.Exception):
                clause.check(contract, subject)
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - a fault may show as any exception
            failed.add(id)
    return failed


def _thorough(**given: Any) -> settings:
    """Draw more examples, and stop at the first that fails: to find the shortest would take seconds."""
    examples = MORE_EXAMPLES * given["max_examples"]
    return settings(**{**given, "max_examples": examples, "phases": (Phase.generate,)})


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen(kw_only=True)
class Fault:
    """A fault of an adapter, and the clauses that must notice it.

    Attributes:
        fault: Description of the fault.
        trips: The clauses that must notice it. No others may, except those of `NEVER_SAMPLED`.
        refuses: The fault is that a capability is not declared: each clause that needs it wants a refusal then,
            whatever the clause is about.
    """

    fault: str
    trips: frozenset[str] = field(converter=_names)
    refuses: bool = False

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", self.fault)

    @abstractmethod
    def opening(self) -> Mapping[str, Callable[..., object]]:
        """Return the method of a contract that opens the broken adapter, by its name."""

    def noticed_by(self, folder: Path, *contracts: type[Contract]) -> set[str]:
        """Return which clauses fail: of those that must, and of a sample of those that must not.

        Args:
            folder: An empty folder.
            contracts: The contracts that test the broken adapter.

        Raises:
            ContractRuleError: `trips` names something that is no clause of them.
        """
        opening = dict(self.opening())
        tested = [type("Tested", (contract,), opening)() for contract in contracts]
        clauses = [id for contract in tested for id in contract.clauses()]
        if unknown := self.trips - set(clauses):
            raise ContractRuleError(f"'{self.fault}' trips '{min(unknown)}', which is no clause of its contracts.")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(strategies, "settings", _thorough)
            return failing(asked(self.fault, self.trips, clauses), tested, folder)


def tripped(mutants: Iterable[Fault]) -> set[str]:
    """Return the clauses that notice a fault of their own subject."""
    return {id for mutant in mutants if not mutant.refuses for id in mutant.trips}

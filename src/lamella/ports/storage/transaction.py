"""Transactions that change one project."""

from abc import abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

_T = TypeVar("_T")


class Transaction(Protocol):
    """Transaction on the rows of one project, wherever merges have put them.

    `look` comes first, then `apply`, each once. Nobody else changes the project meanwhile. The plan is durable
    when the block of the transaction ends; if the block raises, nothing has changed.
    """

    @abstractmethod
    def look(self, look: Look) -> Facts:
        """Answer the questions of a decision."""

    @abstractmethod
    def apply(self, plan: Plan) -> None:
        """Carry out the writes of a plan in order.

        Search index, contexts of neighbours, statistics and short ids follow from the writes. A purged observation
        leaves the index and the contexts of others; a restored one returns as if it had never been away. An
        observation that is inserted has the highest sequence number of its project from then on.
        """


class Transactional(Protocol):
    """Part of a project that changes in transactions."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Transaction]:
        """Open a transaction. Others that change the project wait for its end."""

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, _T]]) -> _T:
        """Look, decide and apply in one transaction. Return what was decided."""
        with self.writing() as transaction:
            plan, outcome = decide(transaction.look(look))
            transaction.apply(plan)
        return outcome

"""Transactions that change one project."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeVar

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

T = TypeVar("T")


class Transactional(Protocol):
    """Part of a project that changes by facts and plans, wherever merges have put its rows."""

    @abstractmethod
    def look(self, look: Look) -> Facts:
        """Answer the questions of a decision, for a reader that changes nothing."""

    @abstractmethod
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """Look, decide, and apply the plan, in one transaction that is durable when this returns.

        Nobody else changes the project between the look and the end. If `decide` raises, nothing has changed.
        The writes are applied in order. Search index, contexts of neighbours, statistics and short ids follow from
        them: a purged observation leaves the index and the contexts of others, a restored one returns as if it had
        never been away. The sequence number of an inserted one is the highest of its project from then on.

        Returns:
            What was decided.
        """

"""Transactions on one project."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeVar

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

T = TypeVar("T")


class Transactional(Protocol):
    """Part of a project changed by facts and plans, following merges."""

    @abstractmethod
    def look(self, look: Look) -> Facts:
        """Answer the questions of a decision, for a reader."""

    @abstractmethod
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """Look, decide, and apply the plan, in one transaction. It is durable when this returns.

        The project is locked between the look and the end. If `decide` raises, nothing has changed. The writes are
        applied in order. Search index, contexts of neighbours, statistics and short ids follow from them: a purged
        observation leaves the index and the contexts of others, a restored one returns as if never purged. The
        sequence number of an inserted one is the highest of its project from then on.

        Returns:
            The outcome of the decision.

        Raises:
            QuotaExceededError: The plan isn't `admitted` for the size of the tenant, as of some seconds ago.
        """

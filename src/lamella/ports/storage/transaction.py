"""Transactions on one project."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeVar

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

T = TypeVar("T")


class Transactional(Protocol):
    """Part of a project that is changed by plans, which the domain decides from facts. Follows merges."""

    @abstractmethod
    def look(self, look: Look) -> Facts:
        """Return the facts for a look, without changing anything."""

    @abstractmethod
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """Look, decide, and apply the plan, in one transaction. It is durable when this returns.

        The project is locked from the look to the end. If `decide` raises an error, nothing changes. Writes are
        applied in order. The storage updates derived data: search index, contexts of neighbours, statistics and
        short ids. A purged observation leaves the index and the contexts of others; a restored one returns as if
        never purged. The sequence number of an inserted observation becomes the highest of its project.

        Returns:
            The outcome of the decision.

        Raises:
            QuotaExceededError: The plan isn't `admitted` for the size of the tenant, as of some seconds ago.
        """

"""Transactions on one project."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeVar

from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Plan

T = TypeVar("T")


class Transactional(Protocol):
    """Part of a project, changed by plans that the domain decides.

    If the project is merged, this part reads and changes the target of the merge.
    """

    @abstractmethod
    def look(self, look: Look) -> Facts:
        """Return the data listed by `look`. Change nothing."""

    @abstractmethod
    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """Read the facts of `look`, call `decide`, and apply its plan, in one transaction.

        The change is durable when this method returns. The project is locked from reading the facts to the end. If
        `decide` raises an error, nothing changes. Writes are applied in order. The storage updates derived data:
        search index, the context column of neighbours, statistics and short ids. A purged observation is removed
        from the index and from the context of other observations; a restored observation returns as if it had
        never been purged. The sequence number of an inserted observation becomes the highest of its project.

        Returns:
            The outcome of the decision.

        Raises:
            CapabilityUnsupportedError: `look.erasing` is set, and `Capability.ERASE` is not declared.
            StorageBusyError: Another process held the lock for several seconds.
            QuotaExceededError: `admitted` rejects the plan. The tenant's size may be some seconds old.
        """

"""Log of what hooks gave to conversations, and of what they passed over and why."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Protocol

from lamella.domain.audit.activity import Activity, ActivityKind, ActivityTotals
from lamella.domain.transactions.logging import KEPT_FOR, decide_log
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional

__all__ = ["KEPT_FOR", "Activity", "ActivityKind", "ActivityLog", "ActivityTotals"]


class ActivityLog(Transactional, Protocol):
    """Activity of hooks in one project. It follows merges, and is erased with its session.

    The ids of erased memories leave all entries of all projects, and the edits that they were about go with them.
    """

    def add(self, entries: Sequence[Activity]) -> None:
        """Store entries in one transaction, and delete those older than the latest of them by `KEPT_FOR`.

        Args:
            entries: The entries. Those whose name is known, or came earlier in `entries`, are ignored.
        """
        if entries:
            self.transact(Look(), partial(decide_log, entries))

    @abstractmethod
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """Return the entries at `moment` or later, in order of time and then name."""

    def totals(self, since: datetime) -> ActivityTotals:
        """Count contexts, tokens and warnings since `since`. A storage may count faster."""
        given = [each for each in self.since(since) if each.kind is ActivityKind.INJECTED]
        return ActivityTotals(
            len(given), sum(each.tokens for each in given), sum(bool(each.edit) for each in given)
        )

    @abstractmethod
    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """Return the entries with an edit, in the reverse order of time and then name.

        Args:
            limit: Most entries.
            skip: Number of entries to leave out, the latest first.
            name: Name of the only entry; None for all.
        """

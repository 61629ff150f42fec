"""Log of the texts that hooks gave to conversations, of captures that hooks skipped, and of recalls."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Protocol

from lamella.domain.audit.activity import Activity, ActivityKind, ActivityTotals, SessionActivity, by_session
from lamella.domain.transactions.auditing import KEPT_FOR, decide_log
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional

__all__ = ["KEPT_FOR", "Activity", "ActivityKind", "ActivityLog", "ActivityTotals"]


class ActivityLog(Transactional, Protocol):
    """Activity of hooks in one project. Merges move its entries; erasing a session deletes the session's entries.

    When a memory is erased, its id is removed from the entries of all projects. The edits logged with this id are
    removed, too.
    """

    def add(self, entries: Sequence[Activity]) -> None:
        """Store entries in one transaction.

        Delete entries that are older than the latest new entry by more than `KEPT_FOR`.

        Args:
            entries: Entries to store. An entry is skipped if its name is already stored, or repeated.
        """
        if entries:
            self.transact(Look(), partial(decide_log, entries))

    @abstractmethod
    def since(self, moment: datetime) -> tuple[Activity, ...]:
        """Return the entries at `moment` or later, sorted by time, then by name."""

    def totals(self, since: datetime) -> ActivityTotals:
        """Return the numbers of texts, tokens and warnings given to conversations at `since` or later.

        A storage may override this to be faster.
        """
        given = [each for each in self.since(since) if each.kind is ActivityKind.INJECTED]
        return ActivityTotals(
            len(given), sum(each.tokens for each in given), sum(bool(each.edit) for each in given)
        )

    def used(self, since: datetime, *, recorded: datetime) -> frozenset[str] | None:
        """Return the ids of memories in entries after `since`. A storage may override this to be faster.

        Return None if the log has no entry from the earlier time `recorded` up to `since`. The log may then have
        begun later than `since`.
        """
        entries = self.since(recorded)
        if all(each.at > since for each in entries):
            return None
        return frozenset(id for each in entries if each.at > since for id in each.memories)

    def sessions(self, since: datetime) -> tuple[SessionActivity, ...]:
        """Summarise the activity of each session at `since` or later, latest session first.

        A storage may override this to be faster.
        """
        return by_session(self.since(since))

    def tokens(self, begins: Sequence[datetime]) -> tuple[int, ...]:
        """Return the number of tokens given to conversations in each period.

        A period begins at each time in `begins`, and ends at the next time. The last period has no end.

        A storage may override this to be faster.
        """
        found = Counter[int]()
        for each in (each for each in self.since(begins[0]) if each.kind is ActivityKind.INJECTED):
            found[sum(begin <= each.at for begin in begins)] += each.tokens
        return tuple(found[number] for number in range(1, len(begins) + 1))

    def of_sessions(
        self, sessions: Collection[str | None], *, since: datetime, limit: int
    ) -> tuple[Activity, ...]:
        """Return the latest activity of each session in `sessions`, newest first, then by descending name.

        Args:
            sessions: Ids of the sessions; None for all sessions without an id.
            since: Earliest time.
            limit: Maximum number of entries of each session.
        """
        found, counts = list[Activity](), Counter[str | None]()
        for each in (each for each in reversed(self.since(since)) if each.kind is not ActivityKind.RECALLED):
            counts[each.session] += 1
            if each.session in sessions and counts[each.session] <= limit:
                found.append(each)
        return tuple(found)

    def warnings(self, *, limit: int, skip: int = 0, name: str | None = None) -> tuple[Activity, ...]:
        """Return the entries with an edit, newest first, then by descending name. A storage may override this.

        Args:
            limit: Maximum number of entries.
            skip: Number of latest entries to skip.
            name: Return only the entry with this name; None for all.
        """
        found = [each for each in self.since(datetime.min.replace(tzinfo=UTC)) if each.edit]
        return tuple(each for each in reversed(found) if name in (None, each.name))[skip : skip + limit]

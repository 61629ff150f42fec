"""Audit trail of the memories of one project."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Protocol
from uuid import UUID

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.transactions.look import Look
from lamella.domain.transactions.taking_over import decide_entries
from lamella.ports.storage.transaction import Transactional


class AuditTrail(Transactional, Protocol):
    """Changes of one project's memories, with authors and times.

    A storage with `Capability.AUDIT` writes an entry in the transaction of each effective change:

    - `purge`, `restore` and `swap` (`Action.EDIT` if it did both) name the changed memories.
    - `add` with `replaces` writes `Action.EDIT`: `purged` are the replaced ones, `added` is the new one, if any.
      Its signature has the time, actor, author and session of the draft.
    - `erase` has only a count, and its ids are removed from all entries of all trails. Their counts stay.
    - `merge` and `split` name both projects, and the number of memories in `old`, before a merge or after a split.
      The entry of a merge is in the trail of `new`, the entry of a split in both trails.

    Entries move with a merge. A split returns the entries written in `old` or in a project merged into it before;
    the entry of a merge belongs to `new`. An entry with a known id is dropped.

    Numbers rise with time. If entries arrive that are older than others, the newer ones get new numbers, and so do
    the arriving ones. A number is never reused for another entry.
    """

    @abstractmethod
    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[AuditEntry, ...]:
        """Return entries, newest first: by time, and entries of one time by number.

        The time of a new entry is its signature's, or the latest entry's if later.

        Args:
            before: Number of an entry, to return older ones only; None to begin with the newest. An unknown number
                gives an empty result.
            limit: Most entries.
            memory: Return only entries with this memory.
            names: Most memories of an entry as added, as purged and as restored, the first ones; None for all. An
                import may name a hundred thousand.
        """

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """Store entries from elsewhere, or the entry of an import, in one transaction.

        They get numbers by their time, and keep everything else, even a time in the past. Memories missing from
        the project are dropped from them. A known entry gets the missing memories, raising its `count`
        accordingly: an import of many batches is one entry, and a repeated import changes nothing.

        Args:
            entries: The entries. `number` is ignored, and `count` is at least the number of the stored memories.
        """
        look = Look(ids=tuple(id for each in entries for id in each.memories))
        self.transact(look, partial(decide_entries, entries))

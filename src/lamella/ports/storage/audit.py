"""Audit trail of the memories of one project."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Protocol
from uuid import UUID

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.transactions.importing import decide_entries
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional


class AuditTrail(Transactional, Protocol):
    """Changes of one project's memories, with authors and times.

    A storage with `Capability.AUDIT` writes an entry in the transaction of each effective change:

    - `purge`, `restore` and `swap` (`Action.EDIT` if it did both) list the changed memories.
    - `add` with `replaces` writes `Action.EDIT`: `purged` are the replaced ones, `added` is the new one, if any.
      Its signature has the time, actor, author and session of the draft.
    - `erase` has only a count. The erased ids are removed from all entries of all trails, whose counts stay.
    - `merge` and `split` name both projects, and the number of memories in `old`, before a merge or after a split.
      The entry of a merge is in the trail of `new`, the entry of a split in both trails.

    Entries move with a merge. A split returns the entries written in `old` or in a project merged into it before;
    the entry of a merge belongs to `new`. An entry with a known id is dropped.

    Numbers increase with time. If an imported entry is older than existing ones, it and all newer entries get new
    numbers. A number is never reused for another entry.
    """

    @abstractmethod
    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[AuditEntry, ...]:
        """Return entries, newest first, by time and then number.

        The time of a new entry is its signature's, or the latest entry's if later.

        Args:
            before: Return only entries older than the one with this number; None for all. Empty for an unknown
                number.
            limit: Maximum number of entries to return.
            memory: Return only entries with this memory.
            names: Maximum number of added, purged and restored memories to return for each entry; None for all. An
                import may have a hundred thousand.
        """

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """Store entries from another storage, or the entry of an import, in one transaction.

        They are numbered by time, and otherwise unchanged, even with a time in the past. Ids of memories missing
        in the project are dropped. If an entry exists, missing memories are added to it and to its `count`: an
        import of many batches is one entry, and a repeated import changes nothing.

        Args:
            entries: Entries to store. `number` is ignored. `count` is at least the number of the stored memories.
        """
        look = Look(ids=tuple(id for each in entries for id in each.memories))
        self.transact(look, partial(decide_entries, entries))

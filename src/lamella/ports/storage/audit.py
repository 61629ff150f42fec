"""Audit trail of the memories of one project."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Protocol
from uuid import UUID

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.transactions.importing import decide_entries
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional

_PAGE = 100
"""Number of entries to read at once."""

Names = int | Collection[UUID] | None
"""Ids to read in each list of an entry: at most this number, only the given ids, or None for all ids.

The entry of an import may have a hundred thousand ids.
"""


class AuditTrail(Transactional, Protocol):
    """Changes of one project's memories, with authors and times.

    A storage with `Capability.AUDIT` writes an entry in the transaction of each effective change:

    - `purge`, `restore` and `swap` list the changed memories. A `swap` that purges and restores writes
      `Action.EDIT`.
    - `add` with `replaces` writes `Action.EDIT`. `purged` has the replaced memories, and `added` has the new
      memory. If a live memory already has the same text, `restored` has this memory instead. The entry's signature
      has the time, actor, author and session of the draft.
    - `erase` has only a count. The erased ids are removed from all entries of all trails. The counts of these
      entries stay.
    - The entry of `merge` or `split` has both projects, and as count the number of memories in `old` before the
      merge or after the split. A merge writes an entry to the trail of `new`, a split to both trails.

    Entries move with a merge. A split moves back the entries that were written in `old`, or in projects merged
    into `old` earlier. The entry of the merge stays in `new`. If the trail already has an entry with the same id,
    the moved entry is dropped.

    Numbers increase with time. If an imported entry is older than existing entries, the imported entry and all
    newer entries get new numbers. A number is never reused for another entry.
    """

    @abstractmethod
    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: Names = None
    ) -> tuple[AuditEntry, ...]:
        """Return entries, newest first. Entries of the same time are ordered by number.

        A new entry has the time of its signature. If the latest entry has a later time, the new entry has that
        time.

        Args:
            before: Number of an entry. Return only older entries; None to return all. If no entry has the number,
                return no entries.
            limit: Maximum number of entries to return.
            memory: Id of a memory. Return only entries about this memory.
            names: Ids to read in each of `added`, `purged` and `restored`.
        """

    def all(self, *, memory: UUID | None = None, names: Names = None) -> Iterator[AuditEntry]:
        """Yield all entries, newest first, reading page by page. See `entries` for the arguments."""
        before: int | None = None
        while page := self.entries(before=before, limit=_PAGE, memory=memory, names=names):
            yield from page
            before = page[-1].number

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """Store entries from another storage, or the entry of an import, in one transaction.

        Entries are numbered by time, even if the trail has newer entries. Their other fields stay unchanged, but
        ids of memories missing in the project are dropped. If an entry is already stored, its new memories are
        added to the stored entry, and increase the stored `count`. Thus, an import in many batches has one entry,
        and a repeated import changes nothing.

        Args:
            entries: Entries to store. `number` is ignored. If `count` is less than the number of stored ids, the
                number of stored ids becomes the `count`.
        """
        look = Look(ids=tuple(id for each in entries for id in each.memories))
        self.transact(look, partial(decide_entries, entries))

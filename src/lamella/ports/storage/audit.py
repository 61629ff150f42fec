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
    """Changes of the memories of one project: who changed which of them, and when.

    A storage with `Capability.AUDIT` writes an entry in the transaction of each change that changed something:

    - `purge`, `restore` and `swap` (`Action.EDIT` if it did both) name the memories that they changed.
    - `add` with `replaces` writes `Action.EDIT`: `purged` are the replaced ones, `added` is the new one,
      if there is one. Its signature has the time, actor, author and session of the draft.
    - `erase` has only a count, and its ids leave all entries of all trails. Their counts stay.
    - `merge` and `split` name both projects, and the number of memories that `old` had or has then. The entry of
      a merge is in the trail of `new`, that of a split in both trails.

    Entries go with a merge, and with a split those that were written in `old` or in a project that had been merged
    into it; the entry of a merge belongs to `new`. An entry whose id is known there is dropped.

    Numbers rise with time. Where entries arrive that are older than others, those others get new numbers, as the
    arriving ones do. No number is ever used again for another entry.
    """

    @abstractmethod
    def entries(
        self, *, before: int | None = None, limit: int, memory: UUID | None = None, names: int | None = None
    ) -> tuple[AuditEntry, ...]:
        """Return entries, newest first: by time, those of one time by number.

        The time of a new entry is that of its signature, or of the latest entry of the trail if that is later.

        Args:
            before: Number of an entry, to return older ones only; None to begin with the newest. An unknown number
                has none before it.
            limit: Most entries.
            memory: Return only entries that name this memory.
            names: Most memories that an entry names as added, as purged and as restored, those first that it
                named first; None for all. An import may name a hundred thousand.
        """

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """Store entries from elsewhere, or the entry of an import, in one transaction.

        They get numbers by their time, and keep everything else, even a time in the past. Memories that the
        project does not have are left out of them. An entry whose id is known gets the memories that it lacks, and
        `count` rises by as many: so an import of many batches is one entry, and taking over twice changes nothing.

        Args:
            entries: The entries. `number` is ignored, and `count` is at least the number of the memories kept.
        """
        look = Look(ids=tuple(id for each in entries for id in each.memories))
        self.transact(look, partial(decide_entries, entries))

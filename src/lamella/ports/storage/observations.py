"""Storage of the observations of one project.

The module of a decision is imported only when the decision is made, because most programs only save and read.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol
from uuid import UUID, uuid4

from lamella.domain.transactions.look import Look
from lamella.domain.transactions.saving import Added, Saved, decide_save, look_for_save
from lamella.ports.storage.transaction import Transactional

if TYPE_CHECKING:
    from lamella.domain.audit.entry import AuditEntry, Signature
    from lamella.domain.exchange.arrival import Arrival
    from lamella.domain.memories.observation import Draft, Observation
    from lamella.domain.memories.query import Hit
    from lamella.domain.transactions.importing import ImportResult
    from lamella.domain.transactions.status import StatusChange, StatusThere

__all__ = ["Added", "ObservationStorage", "Saved"]


class ObservationStorage(Transactional, Protocol):
    """Observations of one project.

    `lamella.domain.transactions` decides all changes, so every storage makes the same changes.

    A saved observation changes in three ways only. A purge or restore sets `purged_at` and `updated_at`. A
    replacement purges the observation, and sets `replaced_by`. `CodeLedger.record` may merge a capture into the
    observation; `amend` repeats a merge made by another storage.
    """

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """Store a draft in one transaction, durably if the storage is durable.

        A draft with the request id and fingerprint of an observation is a retry, no matter how old the observation
        is. A draft with the fingerprint of a live observation is a duplicate. A retry or duplicate isn't stored.
        The result is then the matching observation that was saved first. The `sequence` of a new observation is
        higher than any ever used in its project. There may be gaps. Its `occurred_at` is `now`, unless the project
        has an observation, live or purged, with a later `occurred_at`. In this case, `occurred_at` is this later
        time.

        The observations of `draft.replaces` are purged in the same transaction, with the id of the new
        observation, or of the duplicate, in `replaced_by`. An observation never replaces itself. An observation
        that is already replaced stays unchanged. A retry replaces nothing.

        Args:
            draft: Draft to store.
            id: Id for a new observation.
            now: Current time.

        Raises:
            NotReplaceableError: An observation of `draft.replaces` is missing, or was purged for another reason.
                Nothing was stored.
        """
        return self.transact(look_for_save(draft), partial(decide_save, draft, id=id, entry=uuid4(), now=now))

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """Return the observations with these ids, including purged observations.

        Args:
            ids: Ids of observations. Unknown ids are ignored.

        Returns:
            The observations, keyed by id, in the order of `ids`.
        """
        there = self.look(Look(observations=tuple(ids))).observations
        return {id: there[id] for id in ids if id in there}

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """Find observations by prefixes of their ids, including purged observations.

        Args:
            prefixes: Prefixes of up to 32 hexadecimal digits in lower case, without hyphens.
            limit: Maximum number of observations for each prefix.

        Returns:
            The hits of each prefix, keyed by prefix and sorted by id, with `Match.ID`. A prefix without hits has
            an empty tuple.
        """
        return self.look(Look(prefixes=tuple(dict.fromkeys(prefixes)), each=limit)).starting

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Purge observations in one transaction. Return the outcome for each id, in order.

        Args:
            ids: Ids of the observations.
            by: Author and time of the purge. The time becomes `purged_at`.
        """
        return self.swap(purge=ids, by=by)

    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Restore purged observations in one transaction. Return the outcome for each id, in order.

        Args:
            ids: Ids of the observations.
            by: Author and time of the restore.
        """
        return self.swap(restore=ids, by=by)

    def swap(
        self,
        *,
        purge: Sequence[UUID] = (),
        restore: Sequence[UUID] = (),
        heirs: Mapping[UUID, UUID] | None = None,
        by: Signature,
    ) -> tuple[StatusChange, ...]:
        """Purge the observations of `purge` and restore those of `restore`, in one transaction.

        Return the outcome for each id of `purge`, then for each id of `restore`, in order.

        If an observation of `purge` is already purged and `restore` is not empty, change nothing.

        Args:
            purge: Ids to purge.
            restore: Ids to restore, distinct from `purge`.
            heirs: Values of `replaced_by`, keyed by the id of the purged observation.
            by: Author and time of the change.
        """
        from lamella.domain.transactions.status import decide_status

        decide = partial(decide_status, purge=purge, restore=restore, heirs=heirs or {}, entry=uuid4(), by=by)
        return self.transact(Look(ids=(*purge, *restore), neighbours=True), decide)

    def follow(self, there: Sequence[StatusThere], *, entry: AuditEntry) -> None:
        """Repeat purges and restores made in another storage, in one transaction.

        Args:
            there: Statuses of the memories in the other storage.
            entry: Audit entry of the import. The changed memories are added to its `purged` and `restored`.
        """
        from lamella.domain.transactions.status import decide_followed

        ids = tuple(each.id for each in there)
        self.transact(Look(ids=ids, neighbours=True), partial(decide_followed, there, entry))

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Delete observations permanently. Afterwards, nothing of them can be read through any port.

        Their words are also removed from the index column `context` of other observations. Copies that a merge or
        split has left in other projects are deleted, too. Their fingerprints and request ids are deleted, so the
        same words can be saved again. With `Capability.ERASE_BYTES`, no byte of them remains in any file of the
        storage.

        Args:
            ids: Ids of the observations.
            by: Author and time of the erasure.

        Returns:
            The outcome for each id, in order: `DONE`, or `NOT_FOUND` for an unknown id. If an id is repeated, only
            the first outcome is `DONE`.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: The rows are deleted, but their bytes may remain (`Capability.ERASE_BYTES`).
        """
        from lamella.domain.transactions.erasing import decide_erase, look_for_erase

        return self.transact(look_for_erase(ids), partial(decide_erase, ids, entry=uuid4(), by=by))

    @abstractmethod
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """Return observations in exported form, including purged observations, sorted by sequence.

        Args:
            after: Return only observations with higher sequence numbers.
            limit: Maximum number of observations.

        Returns:
            The observations, each with the request of its call or capture, if known, and with the fingerprints of
            lines dropped with age.
        """

    def known(self, ids: Collection[UUID]) -> Mapping[UUID, ImportResult]:
        """Return for each existing or erased id the reason why `insert_new` would skip it.

        New ids are left out.
        """
        from lamella.domain.transactions.importing import known, look_for_known

        return known(ids, self.look(look_for_known(ids))) if ids else {}

    def erased(self) -> frozenset[bytes]:
        """Return hashes of everything erased in the project, including messages; see `lamella.domain.text.marks`.

        Overridden by storages with `Capability.ERASE`.
        """
        return frozenset()

    def keep_away(self, marks: Collection[bytes]) -> None:
        """Add hashes of data erased in another project, so that this project never imports the erased data.

        Data that this project already has stays.

        Args:
            marks: The result of `erased` for another project.
        """
        from lamella.domain.transactions.other_writes import RememberErased

        self.transact(Look(), lambda _: ((RememberErased(tuple(marks)),), None))

    def insert_new(
        self, arrivals: Sequence[Arrival], *, entry: AuditEntry | None = None
    ) -> tuple[ImportResult, ...]:
        """Import observations unchanged, in one transaction.

        Existing observations aren't changed, and erased observations aren't imported again.

        An imported observation keeps its id, origin, times, status, `replaced_by` and request. It gets the next
        sequence number, in the order of `arrivals`. Only ids are compared, so observations with equal text are all
        stored. The ledger records the request of a change, and fingerprints of lines dropped with age.

        Args:
            arrivals: Observations to import. Pass some hundreds at a time to not block other writers.
            entry: Audit entry of the import. New observations are added to its `added`. The entry is stored with
                the first new observation. Later calls with the entry's id add to the stored entry.

        Returns:
            The outcome for each observation, in order; a repeated id is not `NEW`.
        """
        from lamella.domain.transactions.importing import decide_arrivals, look_for_arrivals

        ids = [each.observation.id for each in arrivals]
        there = self.known(ids)
        # Without new observations, skip the transaction, since it would block others.
        new = [each for each in arrivals if each.observation.id not in there]
        stored = self.transact(look_for_arrivals(new), partial(decide_arrivals, new, entry)) if new else ()
        outcomes = iter(stored)
        return tuple(there[id] if id in there else next(outcomes) for id in ids)

    def amend(self, arrivals: Sequence[Arrival]) -> None:
        """Update captured edits from another storage in one transaction.

        Title, text, source, changes and `updated_at` are replaced. The other fields stay, as when
        `CodeLedger.record` merges a capture into an edit.

        Args:
            arrivals: Captured edits as stored elsewhere. Unknown edits are ignored.
        """
        from lamella.domain.transactions.importing import decide_amendments

        look = Look(observations=tuple(each.observation.id for each in arrivals))
        self.transact(look, partial(decide_amendments, arrivals))

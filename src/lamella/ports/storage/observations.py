"""Storage of the observations of one project."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Protocol
from uuid import UUID, uuid4

from lamella.domain.audit.entry import AuditEntry
from lamella.domain.audit.signature import Signature
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.memories.query import Hit
from lamella.domain.transactions.erasing import decide_erase, look_for_erase
from lamella.domain.transactions.look import Look
from lamella.domain.transactions.plan import RememberErased
from lamella.domain.transactions.saving import Added, Saved, decide_save, look_for_save
from lamella.domain.transactions.status import StatusChange, decide_status
from lamella.domain.transactions.taking_over import (
    TakenOver,
    decide_amendments,
    decide_arrivals,
    known,
    look_for_arrivals,
    look_for_known,
)
from lamella.ports.storage.transaction import Transactional

__all__ = ["Added", "ObservationStorage", "Saved", "StatusChange", "TakenOver"]


class ObservationStorage(Transactional, Protocol):
    """The observations of one project.

    What changes it is the same for every storage: a decision of `lamella.domain.transactions`.

    A saved observation changes in three ways only: a purge or restore sets `purged_at` and `updated_at`, one that
    is replaced is purged with a link in `replaced_by`, and `CodeLedger.record` may join a capture to it, here or
    elsewhere (`amend`).
    """

    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """Store a draft in one transaction, durably if the storage is durable.

        A draft whose request and fingerprint some observation has is a retry, however long ago that was saved, and
        one whose fingerprint a live observation has is a duplicate. Neither is stored: the result is the first
        saved of those observations.
        The `sequence` of a new observation is higher than any that its project ever gave away. There may be gaps.
        Its `occurred_at` is `now`, or the latest one of the project, purged ones included, if that is later.

        The observations of `draft.replaces` are purged in the same transaction, with the id of the new one, or of
        the duplicate, in `replaced_by`. None replaces itself, one that this observation has replaced already stays
        as it is, and a retry replaces nothing.

        Args:
            draft: The draft.
            id: Id of a new observation.
            now: The present time.

        Raises:
            NotReplaceableError: One of `draft.replaces` is not there, or is purged for another reason. Nothing was
                stored.
        """
        return self.transact(look_for_save(draft), partial(decide_save, draft, id=id, entry=uuid4(), now=now))

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """Return the observations with some ids, purged ones included.

        Args:
            ids: Ids. Those that no observation has are left out of the result.

        Returns:
            The observations by id, each once, in the order of `ids`.
        """
        there = self.look(Look(observations=tuple(ids))).observations
        return {id: there[id] for id in ids if id in there}

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """Return observations whose ids begin with some digits, purged ones included.

        Args:
            prefixes: Each up to 32 hexadecimal digits in lower case, without hyphens.
            limit: Most observations for each prefix.

        Returns:
            The hits of each prefix by the prefix, in order of id, with `Match.ID`; no hits if there are none.
        """
        return self.look(Look(prefixes=tuple(dict.fromkeys(prefixes)), each=limit)).starting

    def purge(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Purge observations in one transaction. Return the outcome for each id, in order.

        Args:
            ids: Ids of the observations.
            by: Who purges them, and the time, which becomes `purged_at`.
        """
        return self._change_status(purge=ids, by=by)

    def restore(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Restore purged observations in one transaction. Return the outcome for each id, in order.

        Args:
            ids: Ids of the observations.
            by: Who restores them, and the time.
        """
        return self._change_status(restore=ids, by=by)

    def swap(
        self,
        *,
        purge: Sequence[UUID] = (),
        restore: Sequence[UUID] = (),
        replaced_by: UUID | None = None,
        by: Signature,
    ) -> Mapping[UUID, StatusChange]:
        """Purge some observations and restore others, in one transaction. Return the outcome for each id.

        Nothing changes if one of `purge` is purged already and there is something to restore.

        Args:
            purge: Ids of those that are purged.
            restore: Ids of those that are restored, others than in `purge`.
            replaced_by: Id for the `replaced_by` of those that are purged.
            by: Who changes them, and the time.
        """
        done = self._change_status(purge=purge, restore=restore, replaced_by=replaced_by, by=by)
        return dict(zip((*purge, *restore), done, strict=True))

    def _change_status(
        self,
        *,
        purge: Sequence[UUID] = (),
        restore: Sequence[UUID] = (),
        replaced_by: UUID | None = None,
        by: Signature,
    ) -> tuple[StatusChange, ...]:
        decide = partial(
            decide_status, purge=purge, restore=restore, replaced_by=replaced_by, entry=uuid4(), by=by
        )
        return self.transact(Look(ids=(*purge, *restore), neighbours=True), decide)

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """Delete observations for good. When this returns, nothing of them can be read through any port.

        That includes the contexts of other observations, their copies in projects that were merged or split, and
        their fingerprints and requests: the same words can be saved again. With `Capability.ERASE_BYTES` no byte
        of them is left in any file of the storage either.

        Args:
            ids: Ids of the observations.
            by: Who erases them, and the time.

        Returns:
            The outcome for each id, in order: `DONE` or `NOT_FOUND`, which is also that of a second mention.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: The rows are gone, but bytes of them may remain (`Capability.ERASE_BYTES`).
        """
        return self.transact(look_for_erase(ids), partial(decide_erase, ids, entry=uuid4(), by=by))

    @abstractmethod
    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """Return observations as they leave for elsewhere, purged ones included, in order of sequence.

        Args:
            after: Sequence number after which the page begins.
            limit: Most observations of the page.

        Returns:
            The observations, each with the request of the call or capture that made it, as far as that is known,
            and with the lines of changes whose hunks age has dropped.
        """

    def known(self, ids: Collection[UUID]) -> Mapping[UUID, TakenOver]:
        """Return why `take_over` would leave observations with these ids out. Unknown ones are left out."""
        return known(ids, self.look(look_for_known(ids))) if ids else {}

    def erased(self) -> frozenset[bytes]:
        """Return the marks (`lamella.domain.text.marks`) of all that was erased in the project, messages included.

        Overridden where `Capability.ERASE` is declared.
        """
        return frozenset()

    def keep_away(self, marks: Collection[bytes]) -> None:
        """Keep away what was erased elsewhere, as if it had been erased here. What is here stays, and is known.

        Args:
            marks: Marks from `erased` of another project.
        """
        self.transact(Look(), lambda _: ((RememberErased(tuple(marks)),), None))

    def take_over(self, arrivals: Sequence[Arrival], *, entry: AuditEntry | None = None) -> tuple[TakenOver, ...]:
        """Store observations as they were elsewhere, in one transaction.

        One whose id is known stays as it is. One that was erased stays away.

        Each keeps its id, origin, times, status, `replaced_by` and request, and gets the next sequence number, in
        the order of `arrivals`. Nothing else is compared: what says the same as another one is stored beside it.
        The request of a change is recorded in the ledger, and so are the lines of changes whose hunks age has
        dropped.

        Args:
            arrivals: The observations. Some hundreds at a time keep others from waiting.
            entry: Entry of the import in the audit trail, which names the new ones in `added` from now on. It is
                stored with the first of them, and each later call with its id adds to it.

        Returns:
            The outcome for each, in order; a second mention of an id is not `NEW`.
        """
        ids = [each.observation.id for each in arrivals]
        there = self.known(ids)
        # What is known needs no transaction, in which others would wait.
        new = [each for each in arrivals if each.observation.id not in there]
        stored = self.transact(look_for_arrivals(new), partial(decide_arrivals, new, entry)) if new else ()
        outcomes = iter(stored)
        return tuple(there[id] if id in there else next(outcomes) for id in ids)

    def amend(self, arrivals: Sequence[Arrival]) -> None:
        """Give captured edits the title, text, source, changes and `updated_at` that they have elsewhere by now.

        All else of them stays, as after `CodeLedger.record` has joined a capture to one. Done in one transaction.

        Args:
            arrivals: Captured edits as they are elsewhere. Those that are not here are ignored.
        """
        look = Look(observations=tuple(each.observation.id for each in arrivals))
        self.transact(look, partial(decide_amendments, arrivals))

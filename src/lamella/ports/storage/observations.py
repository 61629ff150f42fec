"""Storage of the observations of one project."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from attrs import frozen

from lamella.domain.memories.observation import Draft, Observation


class Added(StrEnum):
    """Outcome of adding a draft."""

    NEW = "new"
    DUPLICATE = "already saved"
    """An observation that is not purged says the same."""
    RETRY = "retry"
    """The same call has saved it before."""


class StatusChange(StrEnum):
    """Outcome of a purge, restore or erase for one id."""

    DONE = "done"
    NOT_FOUND = "not found"
    ALREADY = "already so"


@frozen
class Saved:
    """The observation that a draft became, or was already."""

    observation: Observation
    added: Added


class ObservationStorage(Protocol):
    """The observations of one project."""

    __slots__ = ()

    @abstractmethod
    def add(self, draft: Draft, *, id: UUID, now: datetime) -> Saved:
        """Stores `draft` under `id`, durably where the storage is; one transaction.

        A draft whose request and fingerprint any observation has is a retry, and one whose fingerprint a live
        observation has a duplicate: neither stores anything new, and the first saved of several is told. The
        observation's `sequence` is the next of the project, from 1 and without gaps but for what was erased. Its
        `occurred_at` is `now`, or the latest moment of the project, purged ones included, if that is later.
        """

    @abstractmethod
    def get(self, id: UUID) -> Observation:
        """The observation, purged or not.

        Raises:
            ObservationNotFoundError: there is none.
        """

    @abstractmethod
    def starting_with(self, prefix: str, *, limit: int) -> tuple[Observation, ...]:
        """At most `limit` observations, purged ones included, whose 32 hexadecimal digits begin with `prefix`.

        In order of id. `prefix` is in lower case.
        """

    @abstractmethod
    def short_ids(self, ids: Sequence[UUID]) -> tuple[str, ...]:
        """For each of `ids` its first eight digits, or as many as no other id of the project begins with."""

    @abstractmethod
    def purge(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """Takes each observation out of search, and its text out of its neighbours' context; one transaction."""

    @abstractmethod
    def restore(self, ids: Sequence[UUID], *, now: datetime) -> tuple[StatusChange, ...]:
        """Puts each purged observation back as if it had never been away; one transaction."""

    @abstractmethod
    def erase(self, ids: Sequence[UUID]) -> tuple[StatusChange, ...]:
        """Deletes each observation for good; when it returns, no byte of it is left in any file of the storage.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: the rows are gone and a file may still hold bytes of them.
        """

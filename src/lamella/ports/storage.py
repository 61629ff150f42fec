"""Where observations are kept.

A `Storage` is opened for a location and hands out the memories of one project at a time, so that no call can
forget whose memory it is. All methods are synchronous and may be called from several threads. An adapter
translates its driver's exceptions into `StorageError` and its kinds.
"""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from attrs import frozen

from lamella.domain.observation import Draft, Observation
from lamella.domain.vectors import EmbeddingModel
from lamella.ports.activity import ActivityLog
from lamella.ports.conversations import Conversations, SummaryCache
from lamella.ports.diagnosis import StorageDiagnosis
from lamella.ports.ledger import CodeLedger
from lamella.ports.projects import ProjectRegistry
from lamella.ports.search import ObservationSearch
from lamella.ports.vectors import VectorIndex


class Capability(StrEnum):
    """What a storage may or may not be able to do. What is not declared refuses."""

    DURABLE = "keeping memories after it is closed"
    ERASE = "erasing for good"
    MERGE = "merging and splitting projects"
    DIAGNOSE = "diagnosis"
    VECTORS = "search by meaning"
    CONVERSATIONS = "keeping conversations"
    LEDGER = "the ledger of code"
    ACTIVITY = "the log of activity"


class Added(StrEnum):
    """What became of a draft."""

    NEW = "new"
    DUPLICATE = "already saved"
    """An observation that is not purged says the same."""
    RETRY = "retry"
    """The same call has saved it before."""


class Change(StrEnum):
    """What became of one id of a purge, restore or erase."""

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
        `moment` is `now`, or the latest moment of the project, purged ones included, if that is later.
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
    def purge(self, ids: Sequence[UUID], *, now: datetime) -> tuple[Change, ...]:
        """Takes each observation out of search, and its text out of its neighbours' context; one transaction."""

    @abstractmethod
    def restore(self, ids: Sequence[UUID], *, now: datetime) -> tuple[Change, ...]:
        """Puts each purged observation back as if it had never been away; one transaction."""

    @abstractmethod
    def erase(self, ids: Sequence[UUID]) -> tuple[Change, ...]:
        """Deletes each observation for good; when it returns, no byte of it is left in any file of the storage.

        Raises:
            CapabilityUnsupportedError: `Capability.ERASE` is not declared.
            UnfinishedEraseError: the rows are gone and a file may still hold bytes of them.
        """


class Storage(Protocol):
    """A place that keeps the memories of any number of projects."""

    __slots__ = ()

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """What this storage can do."""

    @property
    @abstractmethod
    def registry(self) -> ProjectRegistry:
        """The projects that it knows."""

    @property
    @abstractmethod
    def diagnosis(self) -> StorageDiagnosis:
        """Its health.

        Raises:
            CapabilityUnsupportedError: `Capability.DIAGNOSE` is not declared.
        """

    @abstractmethod
    def observations(self, project: str) -> ObservationStorage:
        """The memories of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
        """

    @abstractmethod
    def search(self, project: str) -> ObservationSearch:
        """Search in the memories of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
        """

    @abstractmethod
    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        """The vectors of `model` for the memories of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.VECTORS` is not declared.
        """

    @abstractmethod
    def conversations(self, project: str) -> Conversations:
        """The past conversations of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.CONVERSATIONS` is not declared.
        """

    @abstractmethod
    def summaries(self, project: str) -> SummaryCache:
        """The summaries of past conversations of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.CONVERSATIONS` is not declared.
        """

    @abstractmethod
    def ledger(self, project: str) -> CodeLedger:
        """What came and went in the files of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.LEDGER` is not declared.
        """

    @abstractmethod
    def activity(self, project: str) -> ActivityLog:
        """What hooks did in the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.ACTIVITY` is not declared.
        """

    def tidy(self) -> bool:
        """Does some of the work that keeps search quick as memories come; whether there may be more of it.

        Called while nobody waits for an answer. It takes some tens of milliseconds, changes no answer, waits for
        nobody, and leaves what fails to the next. A storage that has no such work keeps this method.
        """
        return False

    @abstractmethod
    def close(self) -> None:
        """Gives back what is held. Never waits for a call that another thread is in. Closing twice is harmless."""

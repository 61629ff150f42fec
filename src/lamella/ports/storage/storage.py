"""Storage of projects and all that belongs to them.

A `Storage` is opened for a location and hands out the memories of one project at a time, so that no call can
forget whose memory it is. All methods are synchronous and may be called from several threads. An adapter
translates its driver's exceptions into `StorageError` and its kinds.
"""

from abc import abstractmethod
from enum import StrEnum
from typing import Protocol

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella.ports.storage.diagnosis import StorageDiagnosis
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.vectors import VectorIndex


class Capability(StrEnum):
    """Optional abilities of a storage. Those that are not declared raise."""

    DURABLE = "keeping memories after it is closed"
    ERASE = "erasing for good"
    MERGE = "merging and splitting projects"
    DIAGNOSE = "diagnosis"
    VECTORS = "search by meaning"
    CONVERSATIONS = "keeping conversations"
    LEDGER = "the ledger of code"
    ACTIVITY = "the log of activity"


class Storage(Protocol):
    """A place that keeps the memories of any number of projects."""

    __slots__ = ()

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """The abilities of this storage."""

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
        """Return the history of the code of the project with this id.

        Raises:
            UnknownProjectError: the registry has none.
            CapabilityUnsupportedError: `Capability.LEDGER` is not declared.
        """

    @abstractmethod
    def activity(self, project: str) -> ActivityLog:
        """Return the activity log of the project with this id.

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

"""Storage of projects and all that belongs to them.

A `Storage` is opened for a location and hands out the memories of one project at a time, so that no call can
forget whose memory it is. All methods are synchronous and may be called from several threads. It is registered in
the group `lamella.storage`, under the scheme of its URL, as a callable that takes the URL and the data directory.

Transactions: each call is atomic. Those that change one project are serialised, whichever process they come from:
each sees all that those before it have committed. A check and what depends on it belong to one transaction, such
as whether a draft is a duplicate, the next sequence or message number, and contexts. Projects need not wait for
each other. A read sees no half of a transaction. Projects are merged, split and never deleted, so an id that was
known stays known.

Order: text is ordered by code point, which is the order of its bytes in UTF-8, and not by the rules of a language.

Text: values hold well-formed text without NUL, which comes back as it was given. Keys (ids of messages, sources,
sessions, requests and activity) are at most `MAX_KEY_CHARACTERS` long in values. A key that is an argument of a
method, and that of a `Location`, may be longer: pass it through `lamella.domain.text.printing.stored_key` before
it is stored or compared. Words of an index have no bound. They are only compared for equality, so an index may
hold `stored_key` of each. Other text has no bound either: paths of changes and their former names, titles,
positions, and names of projects, sessions and models. A database that bounds its index entries holds the beginning
or a digest of these, and compares the whole text after it.

Errors: a method raises the errors that its port names, and `StorageError` for everything else that keeps it from
its work, never an exception of a driver. `StorageBusyError` and `StorageUnreachableError` pass and have changed
nothing. `OutcomeUnknownError` is for any change whose answer was lost after its commit was sent, also if that may
not have arrived, and for nothing that only reads. What was lost before the commit was sent changed nothing:
`StorageUnreachableError`. Repeating the call finds out: `add` answers `RETRY` (`DUPLICATE` for a draft without a
request), purge and restore `ALREADY`, erase `NOT_FOUND`, `record` and `Conversations.add` ignore what is known.
"""

# ruff: noqa: ARG002 - a part that is not declared refuses, whatever the project

from abc import abstractmethod
from typing import Protocol

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.access_tokens import AccessTokens
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.backups import Backups
from lamella.ports.storage.capability import Capability
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.diagnosis import StorageDiagnosis
from lamella.ports.storage.feed import Feed
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.vectors import VectorIndex

__all__ = ["Capability", "Storage"]


class Storage(Protocol):
    """Memories of any number of projects.

    Each method that takes a project takes its id. A storage needs no method for a part that it does not declare.
    """

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """Abilities of this storage."""

    @property
    def tenant(self) -> str:
        """Name of the tenant whose memories these are."""
        return DEFAULT_TENANT

    def of_tenant(self, tenant: str) -> "Storage":
        """Return the memories of a tenant. They are open as long as this storage, and nobody else closes them.

        Raises:
            CapabilityUnsupportedError: It is another tenant, and `Capability.TENANTS` is not declared.
        """
        if tenant != self.tenant:
            raise CapabilityUnsupportedError(capability=Capability.TENANTS)
        return self

    @property
    @abstractmethod
    def registry(self) -> ProjectRegistry:
        """Projects that it knows."""

    @property
    def diagnosis(self) -> StorageDiagnosis:
        """Checks of its health.

        Raises:
            CapabilityUnsupportedError: `Capability.DIAGNOSE` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.DIAGNOSE)

    @property
    def backups(self) -> Backups:
        """Copies of its projects.

        Raises:
            CapabilityUnsupportedError: `Capability.BACKUP` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.BACKUP)

    @property
    def access_tokens(self) -> AccessTokens:
        """Access tokens of all its tenants.

        Raises:
            CapabilityUnsupportedError: `Capability.ACCESS_TOKENS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.ACCESS_TOKENS)

    @property
    def feed(self) -> Feed:
        """Changes of its projects.

        Raises:
            CapabilityUnsupportedError: `Capability.FEED` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.FEED)

    @abstractmethod
    def observations(self, project: str) -> ObservationStorage:
        """Return the memories of a project.

        Raises:
            UnknownProjectError: The registry has none.
        """

    @abstractmethod
    def search(self, project: str) -> ObservationSearch:
        """Return the search in the memories of a project.

        Raises:
            UnknownProjectError: The registry has none.
        """

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        """Return the vectors of `model` for the memories of a project.

        Raises:
            UnknownProjectError: The registry has none.
            CapabilityUnsupportedError: `Capability.VECTORS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.VECTORS)

    def conversations(self, project: str) -> Conversations:
        """Return the past conversations of a project.

        Raises:
            UnknownProjectError: The registry has none.
            CapabilityUnsupportedError: `Capability.CONVERSATIONS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.CONVERSATIONS)

    def ledger(self, project: str) -> CodeLedger:
        """Return the history of the code of a project.

        Raises:
            UnknownProjectError: The registry has none.
            CapabilityUnsupportedError: `Capability.LEDGER` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.LEDGER)

    def activity(self, project: str) -> ActivityLog:
        """Return the activity log of a project.

        Raises:
            UnknownProjectError: The registry has none.
            CapabilityUnsupportedError: `Capability.ACTIVITY` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.ACTIVITY)

    def audit(self, project: str) -> AuditTrail:
        """Return the audit trail of a project.

        Raises:
            UnknownProjectError: The registry has none.
            CapabilityUnsupportedError: `Capability.AUDIT` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.AUDIT)

    def tidy(self) -> bool:
        """Run one step of index maintenance. Return True if more steps may be pending.

        It is called while nobody waits for an answer. A step takes some tens of milliseconds, changes no answer
        but about rows that an earlier version indexed, and waits for no lock; one that fails is left to the next
        call. A storage without such work keeps this method.
        """
        return False

    @abstractmethod
    def close(self) -> None:
        """Release all resources. Never waits for a call in another thread. Closing twice is harmless.

        A call that another thread has begun ends as if the storage were open, and releases what it used. Nobody
        makes a call after this one: what it would do is not defined.
        """

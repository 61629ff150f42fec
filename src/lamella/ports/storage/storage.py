"""Storage of projects and all of their data.

A `Storage` is opened for a location. It provides the memories of one project at a time, so that no call can mix up
projects. All methods are synchronous. Any thread may call them. A storage adapter is registered in the group
`lamella.storage`, under the scheme of its URL, as a callable. The callable takes the URL and the data directory.

Transactions: each call is atomic. Changes of one project are serialised across processes: each change sees all
earlier commits. A check and the write that depends on the check are one transaction. Examples are the check for
duplicates and the choice of the next sequence number. A change of one project need not wait for changes of another
project. A read never sees half of a transaction. Projects are merged and split, but deleted only with their
tenant: until then, an existing id stays valid.

Order: text is ordered by code points, which is the order of its bytes in UTF-8, never by the rules of a language.

Text: in values to store, such as drafts, text is well-formed and has no NUL. It is returned unchanged. Keys (ids
of messages, sources, sessions, requests and activity) are at most `MAX_KEY_CHARACTERS` long in such values. Keys
in arguments of methods and in a `Location` may be longer: pass them through
`lamella.domain.text.printing.stored_key` before storing or comparing them. Indexed words have no maximum length.
They are only compared for equality, so an index may contain the `stored_key` of each word. Other text has no
maximum length either: paths of changes and their former names, titles, positions, and names of projects, sessions
and models. If a database limits the length of index entries, index the beginning or a digest of such a text, and
then compare the whole text.

Errors: a method raises the errors of its port, and `StorageError` for every other failure, never an exception of a
driver. `StorageBusyError` and `StorageUnreachableError` are temporary and have changed nothing.
`OutcomeUnknownError` means that a commit was sent, but no answer came, so that the change may have been made or
not. A read never raises this error. If the connection is lost before the commit is sent, nothing has changed, and
the error is `StorageUnreachableError`. After an `OutcomeUnknownError`, repeat the call to find out the outcome. If
the change was made, `add` returns `RETRY` (`DUPLICATE` for a draft without a request), purge and restore return
`ALREADY`, and erase returns `NOT_FOUND`. `record` and `Conversations.add` ignore known data.
"""

# ruff: noqa: ARG002 - without a capability, its methods raise an error and don't use their arguments

from __future__ import annotations

from abc import abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from lamella.domain.errors import CapabilityUnsupportedError

if TYPE_CHECKING:
    # Not imported at run time: most programs use few of these ports.
    from collections.abc import Mapping

    from lamella.domain.access.quota import Quota, TenantSize
    from lamella.domain.embeddings.vector import EmbeddingModel
    from lamella.ports.storage.access_tokens import AccessTokens
    from lamella.ports.storage.activity import ActivityLog
    from lamella.ports.storage.audit import AuditTrail
    from lamella.ports.storage.backups import Backups
    from lamella.ports.storage.conversations import Conversations
    from lamella.ports.storage.diagnosis import StorageDiagnosis
    from lamella.ports.storage.feed import Feed
    from lamella.ports.storage.ledger import CodeLedger
    from lamella.ports.storage.observations import ObservationStorage
    from lamella.ports.storage.projects import ProjectRegistry
    from lamella.ports.storage.search import ObservationSearch
    from lamella.ports.storage.vectors import VectorIndex


class Capability(StrEnum):
    """Optional ability of a storage. Methods that need an undeclared capability raise an error."""

    DURABLE = "keeping memories after it is closed"
    ERASE = "erasing for good"
    """Erased text can't be read through any port."""
    ERASE_BYTES = "erasing every byte"
    """Erased text is also removed from logs, free pages and backups. Requires `ERASE`. Not possible on servers."""
    EXACT_RANKING = "scores to the last bit"
    """Scores equal the in-memory storage's scores to the last bit, so nearly equal hits have the same order."""
    MERGE = "merging and splitting projects"
    DIAGNOSE = "diagnosis"
    BACKUP = "backups"
    VECTORS = "search by meaning"
    CONVERSATIONS = "keeping conversations"
    LEDGER = "the ledger of code"
    ACTIVITY = "the log of activity"
    AUDIT = "the audit trail"
    ACCESS_TOKENS = "access tokens"
    FEED = "following changes"
    """The storage has a change feed, so that copies can follow its changes."""
    SHARED = "projects of several machines"
    """Several machines may use the storage.

    Locations have the alias of their repository, and keys qualified by the machine.
    """
    TENANTS = "tenants other than 'default', which need a server"
    """Tenants share connections, but no memories. Equal ids of two tenants are different projects."""


class Storage(Protocol):
    """Memories of any number of projects.

    Each project argument is an id. A storage needn't implement methods of undeclared capabilities.
    """

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[Capability]:
        """Declared capabilities."""

    @property
    def tenant(self) -> str:
        """Name of the tenant that this storage object gives access to."""
        from lamella.domain.access.grant import DEFAULT_TENANT  # noqa: PLC0415 - most programs have no tenants

        return DEFAULT_TENANT

    def of_tenant(self, tenant: str) -> Storage:
        """Return the storage of another tenant. Closing this storage also closes the returned storage.

        Raises:
            CapabilityUnsupportedError: The tenant isn't the tenant of this storage, and `Capability.TENANTS` is
                not declared.
        """
        if tenant != self.tenant:
            raise CapabilityUnsupportedError(capability=Capability.TENANTS)
        return self

    def tenants(self) -> tuple[TenantSize, ...]:
        """Return all tenants that have a project, an access token or a quota, sorted by name.

        Raises:
            CapabilityUnsupportedError: `Capability.TENANTS` is not declared.
            StorageError: The login of the storage may not administer tenants.
        """
        raise CapabilityUnsupportedError(capability=Capability.TENANTS)

    def known_size(self) -> TenantSize | None:
        """Return the last measured size of this tenant, without a query. It may be some seconds old.

        Return None if the tenant has no quota, or before the first transaction of this object.
        """
        return None

    def limit_tenant(self, tenant: str, quota: Quota) -> None:
        """Replace the quota of a tenant, durably. Every transaction obeys it within five seconds.

        Raises:
            CapabilityUnsupportedError: `Capability.TENANTS` is not declared.
            StorageError: The login of the storage may not administer tenants.
        """
        raise CapabilityUnsupportedError(capability=Capability.TENANTS)

    def delete_tenant(self, tenant: str) -> None:
        """Delete all rows of another tenant in one transaction, including the tenant's access log.

        The deletion is recorded in this tenant's access log.

        Raises:
            CapabilityUnsupportedError: `Capability.TENANTS` is not declared.
            StorageError: The login of the storage may not administer tenants.
        """
        raise CapabilityUnsupportedError(capability=Capability.TENANTS)

    @property
    @abstractmethod
    def registry(self) -> ProjectRegistry:
        """Registry of the storage's projects."""

    @property
    def diagnosis(self) -> StorageDiagnosis:
        """Checks and repairs of the storage.

        Raises:
            CapabilityUnsupportedError: `Capability.DIAGNOSE` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.DIAGNOSE)

    @property
    def backups(self) -> Backups:
        """Copies of the storage's projects.

        Raises:
            CapabilityUnsupportedError: `Capability.BACKUP` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.BACKUP)

    @property
    def access_tokens(self) -> AccessTokens:
        """Access tokens of all tenants.

        Raises:
            CapabilityUnsupportedError: `Capability.ACCESS_TOKENS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.ACCESS_TOKENS)

    @property
    def feed(self) -> Feed:
        """Change feed of the storage's projects.

        Raises:
            CapabilityUnsupportedError: `Capability.FEED` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.FEED)

    @abstractmethod
    def observations(self, project: str) -> ObservationStorage:
        """Return the memories of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """

    @abstractmethod
    def search(self, project: str) -> ObservationSearch:
        """Return the search in the memories of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        """Return the vectors of `model` for the memories of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: `Capability.VECTORS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.VECTORS)

    def conversations(self, project: str) -> Conversations:
        """Return the past conversations of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: `Capability.CONVERSATIONS` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.CONVERSATIONS)

    def ledger(self, project: str) -> CodeLedger:
        """Return the history of the code of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: `Capability.LEDGER` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.LEDGER)

    def activity(self, project: str) -> ActivityLog:
        """Return the activity log of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: `Capability.ACTIVITY` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.ACTIVITY)

    def audit(self, project: str) -> AuditTrail:
        """Return the audit trail of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: `Capability.AUDIT` is not declared.
        """
        raise CapabilityUnsupportedError(capability=Capability.AUDIT)

    def pool(self) -> Mapping[str, float]:
        """Return statistics of the connection pool; empty without a server.

        They are `connections`, `waiting` (calls currently waiting for a connection), `waits` (number of calls that
        had to wait) and `wait_ms` (total wait of these calls in milliseconds).
        """
        return {}

    def maintain(self) -> bool:
        """Run one step of index maintenance. Return True if more steps may be pending.

        Servers call this method in idle time. A step takes some tens of milliseconds and waits for no lock. The
        step changes no search results, except for rows indexed by an earlier version of lamella. The next call
        retries a failed step. A storage without such work inherits this method.
        """
        return False

    @abstractmethod
    def close(self) -> None:
        """Release all resources, without waiting for calls in other threads. Closing twice is harmless.

        A running call in another thread completes as if the storage were open, and then releases its resources.
        Later calls are undefined.
        """

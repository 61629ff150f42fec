"""Storage in a data directory: a registry, and one SQLite file for each project.

Parts that most servers never use are imported on first use.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.sqlite.file.folders import RESTORES
from lamella_adapters.sqlite.memories.observations import SqliteObservations
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import Scope

if TYPE_CHECKING:
    from lamella.domain.embeddings.vector import EmbeddingModel
    from lamella.ports.storage.access_tokens import AccessTokens
    from lamella.ports.storage.activity import ActivityLog
    from lamella.ports.storage.audit import AuditTrail
    from lamella.ports.storage.backups import Backups
    from lamella.ports.storage.diagnosis import StorageDiagnosis
    from lamella.ports.storage.ledger import CodeLedger
    from lamella.ports.storage.observations import ObservationStorage
    from lamella.ports.storage.search import ObservationSearch
    from lamella.ports.storage.vectors import VectorIndex
    from lamella_adapters.sqlite.conversations.conversations import SqliteConversations


@define(eq=False, repr=False)
class SqliteStorage(Storage):
    """Storage of all memories in one folder. Nothing is opened or created before the first use."""

    folder: Path
    registry: SqliteRegistry = field(init=False)
    """See `Storage.registry`."""

    def __attrs_post_init__(self) -> None:
        self.registry = SqliteRegistry(self.folder)
        if any(os.path.isdir(self.folder / each) for each in RESTORES):  # noqa: PTH112 - never raises
            from lamella_adapters.sqlite.maintenance.restore import finish_restore

            finish_restore(self.registry)

    @property
    def capabilities(self) -> frozenset[Capability]:
        """See `Storage.capabilities`."""
        return frozenset(Capability) - {Capability.FEED, Capability.SHARED, Capability.TENANTS}

    @property
    def diagnosis(self) -> StorageDiagnosis:
        """See `Storage.diagnosis`."""
        from lamella_adapters.sqlite.doctor.diagnosis import SqliteDiagnosis

        return SqliteDiagnosis(self.registry)

    @property
    def backups(self) -> Backups:
        """See `Storage.backups`."""
        from lamella_adapters.sqlite.maintenance.backups import SqliteBackups

        return SqliteBackups(self.registry)

    @property
    def access_tokens(self) -> AccessTokens:
        """See `Storage.access_tokens`."""
        from lamella_adapters.sqlite.access.tokens import SqliteAccessTokens

        return SqliteAccessTokens(self.registry)

    def observations(self, project: str) -> ObservationStorage:
        """See `Storage.observations`."""
        return SqliteObservations(self._scope(project))

    def search(self, project: str) -> ObservationSearch:
        """See `Storage.search`."""
        from lamella_adapters.sqlite.search.search import SqliteSearch

        return SqliteSearch(self._scope(project))

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        """See `Storage.vectors`."""
        from lamella_adapters.sqlite.embeddings.vector_index import SqliteVectors

        return SqliteVectors(self._scope(project), model)

    def conversations(self, project: str) -> SqliteConversations:
        """See `Storage.conversations`."""
        from lamella_adapters.sqlite.conversations.conversations import SqliteConversations

        return SqliteConversations(self._scope(project))

    def ledger(self, project: str) -> CodeLedger:
        """See `Storage.ledger`."""
        from lamella_adapters.sqlite.ledger.ledger import SqliteLedger

        return SqliteLedger(self._scope(project))

    def activity(self, project: str) -> ActivityLog:
        """See `Storage.activity`."""
        from lamella_adapters.sqlite.activity.log import SqliteActivity

        return SqliteActivity(self._scope(project))

    def audit(self, project: str) -> AuditTrail:
        """See `Storage.audit`."""
        from lamella_adapters.sqlite.activity.audit import SqliteAuditTrail

        return SqliteAuditTrail(self._scope(project))

    def maintain(self) -> bool:
        """See `Storage.maintain`."""
        return self.registry.maintain()

    def close(self) -> None:
        """See `Storage.close`."""
        self.registry.close()

    def _scope(self, project: str) -> Scope:
        return Scope(self.registry.file_of(project), self.registry)

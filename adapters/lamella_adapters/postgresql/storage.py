"""Storage on a PostgreSQL server."""

from collections.abc import Mapping

from attrs import define, field

from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.postgresql.access import tokens
from lamella_adapters.postgresql.activity.audit import PostgresAuditTrail
from lamella_adapters.postgresql.activity.log import PostgresActivity
from lamella_adapters.postgresql.conversations.conversations import PostgresConversations
from lamella_adapters.postgresql.database.database import Database, Scope
from lamella_adapters.postgresql.embeddings.vector_index import PostgresVectors
from lamella_adapters.postgresql.ledger.ledger import PostgresLedger
from lamella_adapters.postgresql.maintenance.diagnosis import PostgresDiagnosis
from lamella_adapters.postgresql.memories.feed import PostgresFeed
from lamella_adapters.postgresql.memories.observations import PostgresObservations
from lamella_adapters.postgresql.projects.registry import PostgresRegistry
from lamella_adapters.postgresql.search.search import PostgresSearch

_STATISTICS = {
    "connections": "pool_size",
    "waiting": "requests_waiting",
    "waits": "requests_queued",
    "wait_ms": "requests_wait_ms",
}
"""Names of psycopg's pool statistics, keyed by the name in `Storage.pool`."""


@define(eq=False)
class PostgresStorage(Storage):
    """Memories of one tenant.

    Backups are the task of the server. Erased text stays in the server's write-ahead log and in free pages until
    the server overwrites it.
    """

    database: Database
    registry: PostgresRegistry = field(init=False)
    """See `Storage.registry`."""

    def __attrs_post_init__(self) -> None:
        self.registry = PostgresRegistry(self.database)

    @classmethod
    def at(cls, location: str) -> "PostgresStorage":
        """Return the storage at a URL. Don't connect yet.

        Raises:
            InvalidValueError: `location` isn't a PostgreSQL connection URI.
        """
        return cls(Database.at(location))

    @property
    def tenant(self) -> str:
        """See `Storage.tenant`."""
        return self.database.tenant

    def of_tenant(self, tenant: str) -> "PostgresStorage":
        """See `Storage.of_tenant`."""
        return self if tenant == self.tenant else PostgresStorage(Database(self.database.pool, tenant))

    def tenants(self) -> tuple[TenantSize, ...]:
        """See `Storage.tenants`."""
        return tokens.tenant_sizes(self.database)

    def known_size(self) -> TenantSize | None:
        """See `Storage.known_size`."""
        return self.database.size.size

    def limit_tenant(self, tenant: str, quota: Quota) -> None:
        """See `Storage.limit_tenant`."""
        tokens.limit_tenant(self.database, tenant, quota)

    def delete_tenant(self, tenant: str) -> None:
        """See `Storage.delete_tenant`."""
        tokens.delete_tenant(self.database, tenant)

    @property
    def capabilities(self) -> frozenset[Capability]:
        """See `Storage.capabilities`."""
        return frozenset(Capability) - {Capability.ERASE_BYTES, Capability.BACKUP}

    @property
    def diagnosis(self) -> PostgresDiagnosis:
        """See `Storage.diagnosis`."""
        return PostgresDiagnosis(self.database)

    @property
    def access_tokens(self) -> tokens.PostgresAccessTokens:
        """See `Storage.access_tokens`."""
        return tokens.PostgresAccessTokens(self.database)

    @property
    def feed(self) -> PostgresFeed:
        """See `Storage.feed`."""
        return PostgresFeed(self.database)

    def observations(self, project: str) -> PostgresObservations:
        """See `Storage.observations`."""
        return PostgresObservations(self._scope(project))

    def search(self, project: str) -> PostgresSearch:
        """See `Storage.search`."""
        return PostgresSearch(self._scope(project))

    def vectors(self, project: str, model: EmbeddingModel) -> PostgresVectors:
        """See `Storage.vectors`."""
        return PostgresVectors(self._scope(project), model)

    def conversations(self, project: str) -> PostgresConversations:
        """See `Storage.conversations`."""
        return PostgresConversations(self._scope(project))

    def ledger(self, project: str) -> PostgresLedger:
        """See `Storage.ledger`."""
        return PostgresLedger(self._scope(project))

    def activity(self, project: str) -> PostgresActivity:
        """See `Storage.activity`."""
        return PostgresActivity(self._scope(project))

    def audit(self, project: str) -> PostgresAuditTrail:
        """See `Storage.audit`."""
        return PostgresAuditTrail(self._scope(project))

    def pool(self) -> Mapping[str, float]:
        """See `Storage.pool`."""
        counts = self.database.pool.get_stats()
        return {name: counts.get(statistic, 0) for name, statistic in _STATISTICS.items()}

    def close(self) -> None:
        """See `Storage.close`."""
        self.database.close()

    def _scope(self, project: str) -> Scope:
        self.registry.require(project)
        return Scope(project, self.database)

"""The in-memory storage keeps the contracts."""

from pathlib import Path

from lamella.ports.storage.storage import Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import (
    AccessTokensContract,
    ActivityLogContract,
    AuditTrailContract,
    BackupsContract,
    CodeLedgerContract,
    ConversationsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    VectorIndexContract,
)


class InMemory:
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryObservations(InMemory, ObservationStorageContract):
    pass


class TestInMemorySearch(InMemory, ObservationSearchContract):
    pass


class TestInMemoryRegistry(InMemory, ProjectRegistryContract):
    pass


class TestInMemoryRegistryOfSeveralMachines(ProjectRegistryContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage(shared=True)


class TestInMemoryConversations(InMemory, ConversationsContract):
    pass


class TestInMemoryVectors(InMemory, VectorIndexContract):
    pass


class TestInMemoryLedger(InMemory, CodeLedgerContract):
    pass


class TestInMemoryActivity(InMemory, ActivityLogContract):
    pass


class TestInMemoryAudit(InMemory, AuditTrailContract):
    pass


class TestInMemoryBackups(InMemory, BackupsContract):
    pass


class TestInMemoryAccessTokens(InMemory, AccessTokensContract):
    pass


class TestInMemoryAccessTokensOfTenants(AccessTokensContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage(shared=True)

"""The in-memory storage keeps the contracts."""

from pathlib import Path

from lamella.ports.storage.storage import Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import (
    ActivityLogContract,
    CodeLedgerContract,
    ConversationsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    VectorIndexContract,
)


class TestInMemoryObservations(ObservationStorageContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemorySearch(ObservationSearchContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryRegistry(ProjectRegistryContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryRegistryOfSeveralMachines(ProjectRegistryContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage(shared=True)


class TestInMemoryConversations(ConversationsContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryVectors(VectorIndexContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryLedger(CodeLedgerContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryActivity(ActivityLogContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()

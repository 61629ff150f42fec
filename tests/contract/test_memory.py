"""The in-memory storage keeps the contracts."""

from pathlib import Path

from lamella.ports.storage.storage import Storage
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import (
    AccessTokensContract,
    BackupsContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    VectorIndexContract,
)
from tests.contract.suites import STORED, suites


class InMemory:
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage()


class TestInMemoryRegistryOfSeveralMachines(ProjectRegistryContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage(shared=True)


class TestInMemoryAccessTokensOfTenants(AccessTokensContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        del tmp_path
        return InMemoryStorage(shared=True)


globals().update(suites(InMemory, *STORED, BackupsContract, ObservationStorageContract, VectorIndexContract))

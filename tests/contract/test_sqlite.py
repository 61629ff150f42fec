"""The SQLite storage keeps the contracts."""

from pathlib import Path

from lamella.ports.storage.storage import Storage
from lamella_adapters.sqlite import open_storage
from lamella_contracts import (
    ActivityLogContract,
    CodeLedgerContract,
    ConversationsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
)


class InSqlite:
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)


class TestSqliteObservations(InSqlite, ObservationStorageContract):
    pass


class TestSqliteSearch(InSqlite, ObservationSearchContract):
    pass


class TestSqliteRegistry(InSqlite, ProjectRegistryContract):
    pass


class TestSqliteConversations(InSqlite, ConversationsContract):
    pass


class TestSqliteLedger(InSqlite, CodeLedgerContract):
    pass


class TestSqliteActivity(InSqlite, ActivityLogContract):
    pass

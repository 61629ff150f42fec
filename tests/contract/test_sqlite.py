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


class TestSqliteObservations(ObservationStorageContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)

    def opening_code(self, tmp_path: Path) -> str:
        return (
            "from pathlib import Path\n"
            "from lamella_adapters.sqlite import open_storage\n"
            f"storage = open_storage('sqlite:///{tmp_path}', Path({str(tmp_path)!r}))"
        )


class TestSqliteSearch(ObservationSearchContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)


class TestSqliteRegistry(ProjectRegistryContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)


class TestSqliteConversations(ConversationsContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)


class TestSqliteLedger(CodeLedgerContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)


class TestSqliteActivity(ActivityLogContract):
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)

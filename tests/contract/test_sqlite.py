"""The SQLite storage keeps the contracts."""

from pathlib import Path

import pytest

from lamella.ports.hook_reads import HookReads
from lamella.ports.storage.storage import Storage
from lamella_adapters.sqlite import open_storage
from lamella_adapters.sqlite.hook_reads import open_project
from lamella_adapters.sqlite.hook_reads.reads import open_hook_reads
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts import (
    AccessTokensContract,
    ActivityLogContract,
    AuditTrailContract,
    BackupsContract,
    CodeLedgerContract,
    ConversationsContract,
    HookReadsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
)
from tests.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks give up after a moment; here they don't, however slow the machine is."""
    monkeypatch.setattr(open_project.Deadline.__init__, "__defaults__", (HANG_SECONDS,))


class InSqlite:
    def open_storage(self, tmp_path: Path) -> Storage:
        return open_storage(f"sqlite:///{tmp_path}", tmp_path)

    def opening_code(self, tmp_path: Path) -> str:
        return (
            "from pathlib import Path\n"
            "from lamella_adapters.sqlite import open_storage\n"
            f"storage = open_storage('sqlite:///{tmp_path}', Path({str(tmp_path)!r}))"
        )


class TestSqliteObservations(InSqlite, ObservationStorageContract):
    def break_connection(self, storage: Storage) -> None:
        """Let the driver abort the next statement, with an error that means nothing in particular."""
        assert isinstance(storage, SqliteStorage)
        files = [storage.registry.file_of(project.id).database for project in storage.registry.all()]
        for file in files:
            with file.reading():
                """It is open from now on."""
        opened = [each.connection for file in files for each in (file._reader, file._writer) if each.connection]

        def abort(*_: object) -> bool:
            for connection in opened:
                connection.exec_trace = None
            return False

        for connection in opened:
            connection.exec_trace = abort


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


class TestSqliteAudit(InSqlite, AuditTrailContract):
    pass


class TestSqliteBackups(InSqlite, BackupsContract):
    pass


class TestSqliteAccessTokens(InSqlite, AccessTokensContract):
    pass


class TestSqliteHookReads(InSqlite, HookReadsContract):
    def open_hook_reads(self, tmp_path: Path) -> HookReads | None:
        return open_hook_reads(f"sqlite:///{tmp_path}", str(tmp_path))

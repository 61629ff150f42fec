"""The SQLite storage keeps the contracts."""

from pathlib import Path

import pytest
from attrs import define

from lamella.ports.hook_reads import HookReads
from lamella.ports.storage.storage import Storage
from lamella_adapters.sqlite import open_storage
from lamella_adapters.sqlite.hook_reads import open_project
from lamella_adapters.sqlite.hook_reads.reads import open_hook_reads
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts import BackupsContract, HookReadsContract, ObservationStorageContract
from tests.contract.suites import STORED, suites
from tests.waiting import HANG_SECONDS


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hooks wait without a limit, because the machine may be slow."""
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
        assert isinstance(storage, SqliteStorage)
        for project in storage.registry.all():
            file = storage.registry.file_of(project.id).database
            with file.reading():
                """It is open from now on."""
            for connection, statement in ((file._reader.connection, "BEGIN"), (file._writer.connection, "COMMIT")):
                if connection is not None:
                    connection.exec_trace = AbortOnce(statement)


@define
class AbortOnce:
    """Statement trace that makes the driver abort once, with an unspecific error."""

    statement: str
    aborted: bool = False

    def __call__(self, _cursor: object, statement: str, _values: object) -> bool:
        if self.aborted or statement != self.statement:
            return True
        self.aborted = True
        return False


class TestSqliteHookReads(InSqlite, HookReadsContract):
    def open_hook_reads(self, tmp_path: Path) -> HookReads | None:
        return open_hook_reads(f"sqlite:///{tmp_path}", str(tmp_path))


globals().update(suites(InSqlite, *STORED, BackupsContract))

"""A scratch database for the contracts, created once and emptied for each clause. A list stands for the server."""

from pathlib import Path
from typing import ClassVar

from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts import ObservationStorageContract

statements: list[str] = []


class MyStorage(InMemoryStorage):
    """A storage on the server."""

    capabilities = frozenset(Capability)


def execute(statement: str) -> MyStorage:
    """Run a statement on the server, and return a storage opened on it."""
    statements.append(statement)
    return MyStorage()


class Scratch:
    """The scratch database of this process, created for the first clause."""

    storage: ClassVar[MyStorage | None] = None
    folder: ClassVar[Path | None] = None

    @classmethod
    def opened(cls, folder: Path) -> MyStorage:
        """Open the database. Empty it first if `folder` differs from that of the last call."""
        if cls.storage is None:
            execute("CREATE SCHEMA scratch")
        if cls.storage is None or folder != cls.folder:
            cls.folder = folder
            cls.storage = execute("TRUNCATE project, observation CASCADE")
        return cls.storage


class TestMyStorage(ObservationStorageContract):
    """The contract, run on the scratch database."""

    # The list that stands for the server exists in one process only. With a real server, leave this out.
    known_gaps: ClassVar = {"transactions_of_processes_come_one_after_another": "a list stands for the server"}

    def open_storage(self, tmp_path: Path) -> MyStorage:
        """Open the storage of a folder."""
        return Scratch.opened(tmp_path)

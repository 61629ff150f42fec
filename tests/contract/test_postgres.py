"""The PostgreSQL storage keeps the contracts."""

import socket
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import pytest

from lamella.container import running
from lamella.domain.errors import AmbiguousProjectError
from lamella.domain.projects.key import key_of_name
from lamella.ports.hook_reads import HookReads
from lamella.ports.storage.storage import Storage
from lamella.settings import Settings
from lamella_adapters.fts5 import bm25
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.database.transaction import COMMIT, Row, Transaction
from lamella_adapters.postgresql.embeddings import vector_index
from lamella_adapters.postgresql.search import ranking
from lamella_adapters.postgresql.storage import PostgresStorage
from lamella_adapters.sqlite.hook_reads.copy import open_hook_reads
from lamella_contracts import HookReadsContract, ObservationStorageContract, VectorIndexContract
from lamella_contracts.clauses.search.agreement import AgreementClauses
from lamella_contracts.contracts import StorageContract
from tests import postgres
from tests.contract.suites import STORED, suites


class InPostgres:
    folder: ClassVar[Path | None] = None

    def open_storage(self, tmp_path: Path) -> PostgresStorage:
        if tmp_path != InPostgres.folder:
            InPostgres.folder = tmp_path
            postgres.empty()
        return open_storage(postgres.location(), tmp_path)

    def opening_code(self, tmp_path: Path) -> str:
        return (
            "from pathlib import Path\n"
            "from lamella_adapters.postgresql import open_storage\n"
            f"storage = open_storage({postgres.location()!r}, Path({str(tmp_path)!r}))"
        )


class TestPostgresObservations(InPostgres, ObservationStorageContract):
    @pytest.fixture(autouse=True)
    def _patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def break_connection(self, storage: Storage) -> None:
        assert isinstance(storage, PostgresStorage)
        # Else it would notice, and connect again.
        self.monkeypatch.setattr(storage.database.pool, "_check", None)
        postgres.break_connections(storage.database.pool.application)

    def lose_answer(self, storage: Storage) -> None:
        assert isinstance(storage, PostgresStorage)
        exchanged = Transaction._exchanged

        def lost(tx: Transaction, message: str) -> list[list[Row]]:
            if message.endswith(COMMIT):
                self.monkeypatch.undo()
                with socket.socket(fileno=tx.connection.fileno()) as heard:
                    heard.shutdown(socket.SHUT_RD)
                    heard.detach()
            return exchanged(tx, message)

        self.monkeypatch.setattr(Transaction, "_exchanged", lost)


class TestPostgresBoundedSearch(InPostgres, AgreementClauses, StorageContract):
    """Ranking that reads as few rows as in a large project, and rare terms first."""

    @pytest.fixture(autouse=True)
    def _bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bounds = {"LOOKED": 30, "LOOKED_FOR_EACH": 1, "SPLIT_ROWS_FOR_EACH": 0, "SPLIT_FROM": 0}
        for name, bound in bounds.items():
            monkeypatch.setattr(ranking, name, bound)
        monkeypatch.setattr(bm25, "ESSENTIAL_SHARE", 0.2)


class TestPostgresSignCodes(InPostgres, VectorIndexContract):
    """The contract with candidates chosen by sign codes, as in large projects."""

    @pytest.fixture(autouse=True)
    def _coded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vector_index, "CODED_FROM", 0)


class TestPostgresHookReads(InPostgres, HookReadsContract):
    """Hooks read a copy that is updated as by a server with work in all places of a project."""

    def open_hook_reads(self, tmp_path: Path) -> HookReads | None:
        settings = Settings(data_directory=tmp_path, storage=postgres.location(), embedder="none")
        with running(settings) as lamella:
            for project in lamella.storage.registry.all():
                lamella.projects.places |= dict.fromkeys(project.aliases, project.id)
                for name in (project.id, project.name, *project.aliases):
                    # A name that several have is refused before anything is found.
                    with suppress(AmbiguousProjectError):
                        lamella.projects.places[key_of_name(name)] = lamella.storage.registry.named(name).id
            for _ in lamella.keep_hook_copy():
                pass
        return open_hook_reads(settings.storage, str(tmp_path))


globals().update(suites(InPostgres, *STORED, VectorIndexContract))

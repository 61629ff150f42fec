"""The registry of a data directory, and other processes that make it."""

from contextlib import closing
from pathlib import Path

import pytest

from lamella.domain.errors import StorageGoneError
from lamella_adapters.sqlite.file.database import Database, Version
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.storage.worker import NOW, place


def test_a_registry_that_another_process_makes_meanwhile_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = Database.version
    with closing(SqliteStorage(tmp_path)) as reader, closing(SqliteStorage(tmp_path)) as other:

        def made_after_a_look(database: Database) -> Version:
            try:
                return version(database)
            except StorageGoneError:
                monkeypatch.undo()
                other.registry.at(place("p"), now=NOW)
                raise

        monkeypatch.setattr(Database, "version", made_after_a_look)
        assert [each.name for each in reader.registry.all()] == ["p"]

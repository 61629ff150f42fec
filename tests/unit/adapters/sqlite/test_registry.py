"""The registry of a data directory, and other processes that make it."""

import re
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import apsw
import pytest

from lamella.domain.errors import StorageGoneError
from lamella.domain.memories.observation import Draft
from lamella_adapters.sqlite.file import folders, migrate
from lamella_adapters.sqlite.file.database import Database, Version
from lamella_adapters.sqlite.projects import registry
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.worker import NOW, place
from tests.golden import squash


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


def test_a_registry_that_a_thread_makes_between_two_looks_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStorage(tmp_path)) as storage:

        def made_after_a_look(path: Path) -> bool:
            found = folders.is_there(path)
            monkeypatch.undo()
            storage.registry.ensure_database()
            storage.registry.is_there()
            return found

        monkeypatch.setattr(registry, "is_there", made_after_a_look)
        assert not storage.registry.is_there()
        assert storage.registry.is_there()


def test_a_process_makes_the_schema_of_projects_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: run.append(event["sql"]))

    migrate.empty.cache_clear()
    migrate._made.cache_clear()
    monkeypatch.setattr(apsw, "connection_hooks", [*apsw.connection_hooks, watch])
    with closing(SqliteStorage(tmp_path)) as storage:
        for name in ("p", "q"):
            storage.registry.at(place(name), now=NOW)
    (table,) = re.findall(r"^CREATE TABLE alias .*$", migrations.PROJECT[0], re.MULTILINE)
    assert len([sql for sql in run if sql.strip().startswith(table.rstrip(";"))]) == 1


def test_the_squashed_script_makes_the_same_file_as_its_migrations() -> None:
    with closing(apsw.Connection(":memory:")) as migrated, closing(apsw.Connection(":memory:")) as squashed:
        migrate.apply_migrations(migrated, migrations.SQUASHED, 0)
        squashed.deserialize("main", migrate.empty(migrations.SQUASHED))
        assert [*squash.script(squashed)] == [*squash.script(migrated)]


def test_an_unchanged_memory_is_converted_once(tmp_path: Path) -> None:
    with closing(SqliteStorage(tmp_path)) as storage:
        memories = storage.observations(storage.registry.at(place("p"), now=NOW).id)
        id = memories.add(Draft(content="tabs"), id=uuid4(), now=NOW).observation.id
        first = memories.get_all([id])[id]
        assert memories.get_all([id])[id] is first
        memories.purge([id], by=signed(NOW))
        assert (first.purged, memories.get_all([id])[id].purged) == (False, True)

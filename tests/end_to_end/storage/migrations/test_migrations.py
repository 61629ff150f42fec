"""Files of an older and of a newer schema: the fault table's rows 3 to 6."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lamella.domain.errors import StorageReadOnlyError, StorageTooNewError
from lamella_adapters.sqlite.file.connection import connect
from lamella_adapters.sqlite.file.create import create
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.migrate import migrate
from lamella_adapters.sqlite.schema import migrations
from tests.end_to_end.storage.kills.statements import told, version_and_moods
from tests.end_to_end.storage.worker import NEWER, Memory, saved_into

BEFORE = (len(migrations.PROJECT), 0, 0)


def test_a_newer_file_is_refused_and_left_untouched(tmp_path: Path) -> None:
    saved_into(tmp_path, "zebra")
    path = Memory(tmp_path).file
    migrated(path)
    before = path.read_bytes()
    with Memory(tmp_path) as memory:
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises(StorageTooNewError):
                call()
    assert path.read_bytes() == before
    assert {each.name for each in path.parent.iterdir() if each.is_file()} == {path.name, f"{path.stem}.count"}


def test_a_program_that_is_open_notices_that_a_newer_one_has_migrated_its_file(tmp_path: Path) -> None:
    saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        memory.save("horse")
        assert memory.find("zebra") == ["zebra"]
        migrated(memory.file)
        rows = told(memory.file)
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises(StorageTooNewError):
                call()
        assert told(memory.file) == rows


def test_a_migration_that_rebuilds_a_table_keeps_what_refers_to_it(tmp_path: Path) -> None:
    path = tmp_path / "family.db"
    first = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE child (parent INTEGER NOT NULL REFERENCES parent ON DELETE CASCADE) STRICT;
    INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
    """
    rebuild = """
    CREATE TABLE parent_new (id INTEGER PRIMARY KEY, name TEXT) STRICT;
    INSERT INTO parent_new SELECT id, 'x' FROM parent;
    DROP TABLE parent;
    ALTER TABLE parent_new RENAME TO parent;
    """
    create(path, [first], lambda _: None)
    database = Database(path, [first, rebuild])
    with database.writing() as connection:
        assert connection.execute("SELECT * FROM parent JOIN child ON id = parent").fetchall() == [(1, "x", 1)]
        assert connection.execute("PRAGMA foreign_keys").get == 1
    database.close()


def test_an_older_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    saved_into(tmp_path, "zebra")
    path = Memory(tmp_path).file
    connection = connect(path, writable=False)
    with pytest.raises(StorageReadOnlyError):
        migrate(connection, path, [*migrations.PROJECT, NEWER], writable=False)
    connection.close()
    assert version_and_moods(path) == BEFORE


def migrated(path: Path) -> None:
    """A newer program has been here."""
    newer = Database(path, [*migrations.PROJECT, NEWER])
    with newer.writing():
        pass
    newer.close()


def test_a_registry_from_before_tokens_that_cannot_be_written_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_into(tmp_path, "zebra")
    with closing(apsw.Connection(str(tmp_path / "registry.db"))) as registry:
        registry.execute("DROP TABLE access_token; PRAGMA user_version = 2").fetchall()
    monkeypatch.setattr(Database, "writable", property(lambda _: False))
    with Memory(tmp_path) as memory:
        tokens = memory.storage.access_tokens
        assert (tokens.exist(), tokens.all("default"), tokens.find(bytes(32))) == (False, (), None)

"""Backups that are not as lamella made them are refused."""

import json
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from lamella.domain.errors import BackupUnusableError
from lamella.ports.storage.backups import Label
from tests.end_to_end.storage.worker import Memory, assert_sound, saved_into
from tests.unit.support.tables import cases


def flipped(copy: Path) -> None:
    content = bytearray(copy.read_bytes())
    content[5_000:9_000] = bytes(4_000)
    copy.write_bytes(content)


def executed(statement: str) -> Callable[[Path], None]:
    """Return the harm that a statement does."""

    def harm(copy: Path) -> None:
        with closing(apsw.Connection(str(copy))) as connection:
            connection.execute(statement).fetchall()

    return harm


@cases
def test_a_copy_that_is_not_as_lamella_made_it_is_refused(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        copy = memory.storage.backups.copy(memory.id, Label.MANUAL)
        assert copy is not None
        harm(Path(copy.place))
        with pytest.raises(BackupUnusableError), memory.storage.backups.opened(copy):
            pass
        assert memory.find() == ["zebra"]
        assert not (tmp_path / "restoring.draft").exists()
    Path(copy.place).unlink()
    assert_sound(tmp_path, saved)


def lies(field: str, value: object) -> Callable[[Path], None]:
    """Return what puts a value into the manifest."""

    def harm(place: Path) -> None:
        with zipfile.ZipFile(place) as archive:
            content = {name: archive.read(name) for name in archive.namelist()}
        manifest = json.loads(content["manifest.json"])
        manifest["projects"][0][field] = value
        written(place, {**content, "manifest.json": json.dumps(manifest).encode()})

    return harm


def written(place: Path, content: dict[str, bytes]) -> None:
    with zipfile.ZipFile(place, "w") as archive:
        for name, each in content.items():
            archive.writestr(name, each)


def twice(place: Path) -> None:
    """Put a second file of the same project into the archive."""
    with zipfile.ZipFile(place) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(content["manifest.json"])
    (project,) = manifest["projects"]
    content["again.db"] = content[project["file"]]
    manifest["projects"].append({**project, "file": "again.db"})
    written(place, {**content, "manifest.json": json.dumps(manifest).encode()})


def holds(name: str) -> Callable[[Path], None]:
    """Return what adds an entry that the manifest does not list."""

    def harm(place: Path) -> None:
        with zipfile.ZipFile(place, "a") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr(name, archive.read("manifest.json"))

    return harm


@cases
def test_a_file_that_is_not_as_lamella_made_it_is_refused(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    saved_into(tmp_path, "zebra")
    place = tmp_path / "all.backup"
    with Memory(tmp_path) as memory:
        memory.storage.backups.write(place)
        harm(place)
        with pytest.raises(BackupUnusableError), memory.storage.backups.opened(place):
            pass
        assert memory.find() == ["zebra"]


@cases
def test_a_file_with_a_foreign_registry_is_refused(tmp_path: Path, harm: str) -> None:
    saved_into(tmp_path / "data", "zebra")
    with Memory(tmp_path / "data") as memory:
        with closing(apsw.Connection(str(tmp_path / "data" / "registry.db"))) as registry:
            registry.execute("PRAGMA foreign_keys = OFF").fetchall()
            registry.execute(harm).fetchall()
        place = tmp_path / "all.backup"
        memory.storage.backups.write(place)
        with pytest.raises(BackupUnusableError), memory.storage.backups.opened(place):
            pass

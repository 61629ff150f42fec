"""Files of every released schema, and of shapes that were never released: the fault table's row 6."""

import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import apsw
import pytest
from attrs import evolve

from lamella.domain.conversations.query import MessageQuery
from lamella.domain.errors import StorageDamagedError, StorageShapeUnknownError
from lamella.ports.storage.diagnosis import Severity
from lamella_adapters.sqlite.schema.migrations import PROJECT
from lamella_adapters.sqlite.storage import SqliteStorage
from tests.end_to_end.storage.worker import Memory, assert_sound, saved_into
from tests.end_to_end.support.command_line import CommandLine
from tests.golden.make import DIGEST, GOLDEN, MEMORIES, NAME, NOW, PURGED, SAID, TOKEN
from tests.unit.support.tables import cases

RELEASED = sorted(GOLDEN.glob("schema-*.tar.xz"))
UNKNOWN = {"unknown-text-aliases": "alias.alias", "unknown-single-title": "observation.indexed_title"}

LATER: dict[str, Any] = {
    "author": "Ada",
    "keywords": "zebra, okapi",
    "branch": "feat",
    "head": "1" * 40,
    "client": "codex",
    "metadata": {"ticket": "7"},
}
"""Values of columns that older schemas do not have."""


def unpacked(golden: Path, folder: Path) -> Path:
    folder.mkdir(mode=0o700)
    with tarfile.open(golden) as packed:
        # Python 3.11.2 has no filters.
        for member in filter(tarfile.TarInfo.isfile, packed):
            path = folder / member.name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            content = packed.extractfile(member)
            assert content is not None
            path.write_bytes(content.read())
            path.chmod(0o600)
    (folder / "projects").chmod(0o700)
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "projects").iterdir() if path.suffix == ".db"}


def test_there_is_a_golden_file_of_the_present_schema() -> None:
    assert NAME in [golden.name for golden in RELEASED]


@pytest.mark.parametrize("golden", RELEASED, ids=lambda golden: golden.name.removesuffix(".tar.xz"))
def test_a_file_of_a_released_schema_upgrades_and_answers(golden: Path, tmp_path: Path) -> None:
    folder = unpacked(golden, tmp_path / "data")
    live = {id: draft.content for id, draft in MEMORIES.items() if id != PURGED}
    with Memory(folder) as memory:
        assert sorted(memory.find("zebra")) == sorted(live.values())
        assert len(memory.find("zebra", include_purged=True)) == len(MEMORIES)
        found = memory.storage.observations(memory.id).get_all(MEMORIES)
        assert {id: draft.changes for id, draft in MEMORIES.items()} == {id: found[id].changes for id in MEMORIES}
        assert not any(getattr(each, name) for each in found.values() for name in LATER)
        new = memory.save("horse", **LATER)
        assert {name: getattr(new, name) for name in LATER} == LATER
        assert memory.storage.observations(memory.id).get_all([new.id]) == {new.id: new}
        (said,) = memory.storage.conversations(memory.id).find(MessageQuery(text="graze", limit=10, now=NOW))
        assert said.message.text == SAID
        tokens = memory.storage.access_tokens
        assert tokens.find(DIGEST) == (TOKEN if golden.name.count(".") == NAME.count(".") else None)
        another = evolve(TOKEN, id=UUID(int=5))
        tokens.add(another, bytes(32))
        assert tokens.all("default")[-1] == another
        while memory.storage.maintain():
            pass
        assert [each for each in memory.storage.diagnosis.findings() if each.severity is not Severity.FINE] == []
    assert_sound(folder, live)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_file_of_an_unknown_shape_is_named_and_left_alone(name: str, tmp_path: Path) -> None:
    folder = unpacked(GOLDEN / f"{name}.tar.xz", tmp_path / "data")
    before = files(folder)
    with Memory(folder) as memory:
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises((StorageShapeUnknownError, StorageDamagedError)):
                call()
    doctor = CommandLine(folder, tmp_path).run("doctor", "--repair", "--yes")
    assert doctor.code == 1
    assert f"({UNKNOWN[name]}); it was left untouched" in doctor.out
    assert "Traceback" not in doctor.err
    assert files(folder) == before
    with Memory(folder) as memory, pytest.raises(StorageShapeUnknownError):
        memory.save("never")
    assert files(folder) == before


@pytest.mark.parametrize("version", [1, 5, 20])
def test_a_version_that_is_too_low_is_refused_and_mended(version: int, tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra", "horse")
    with Memory(tmp_path) as memory:
        memory.execute(f"PRAGMA user_version = {version}")
    with Memory(tmp_path) as memory:
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises(StorageDamagedError):
                call()
        assert not memory.file.with_name("backups").exists()
        finding, said = memory.repaired()
    assert (finding.message, said) == (
        "its version number does not match its tables",
        f"Its version is {len(PROJECT)} now.",
    )
    assert_sound(tmp_path, saved)


def test_other_projects_stay_usable_beside_a_file_of_an_unknown_shape(tmp_path: Path) -> None:
    folder = unpacked(GOLDEN / "unknown-text-aliases.tar.xz", tmp_path / "data")
    (folder / "registry.db").unlink()
    with Memory(folder, "other") as memory:
        memory.save("a zebra")
        assert memory.find("zebra") == ["a zebra"]
        assert [project.name for project in SqliteStorage(folder).registry.all()] == ["other"]


@cases
def test_doctor_mends_a_registry_with_anything_in_it(tmp_path: Path, harm: str) -> None:
    saved = saved_into(tmp_path / "data", "a zebra")
    with closing(apsw.Connection(str(tmp_path / "data" / "registry.db"))) as registry:
        registry.execute(harm).fetchall()
    doctor = CommandLine(tmp_path / "data", tmp_path).run("doctor", "--repair", "--yes")
    assert (doctor.code, doctor.err) == (0, "")
    assert "The registry was made from the files of 1 project." in doctor.out
    assert_sound(tmp_path / "data", saved)

"""The pieces that saves leave of an index, and who merges them."""

from pathlib import Path
from uuid import UUID

import apsw
import pytest

from tests.end_to_end.hooks.drain_kills import repository
from tests.end_to_end.storage.worker import Memory, assert_sound
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until

FEW = 4
"""FTS5 merges where a level has as many pieces, when it is asked to."""


def levels(file: Path) -> list[int]:
    """Return the number of pieces on each level of the index of memories, from the record of its structure.

    It is a cookie of four bytes and, as varints: how many levels, pieces and writes; then for each level how many
    are being merged, how many there are, and three numbers of each ("fts5_index.c", "Structure record").
    """
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    record: bytes = connection.execute("SELECT block FROM search_data WHERE id = 10").get
    connection.close()
    numbers: list[int] = []
    number = 0
    for byte in record[4:]:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(number)
            number = 0
    count, _, _, *rest = numbers
    pieces = []
    for _ in range(count):
        _, here, *rest = rest
        pieces.append(here)
        rest = rest[3 * here :]
    assert rest == []
    return pieces


def fragmented(memory: Memory, count: int) -> dict[UUID, str]:
    """Make a piece of the index with each of so many saves. Return what was saved."""
    return {memory.save(f"zebra {number}").id: f"zebra {number}" for number in range(count)}


def test_an_unmaintained_index_is_maintained_step_by_step(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        saved = fragmented(memory, 15)
        assert levels(memory.file) == [15]
        assert memory.storage.maintain()
        while memory.storage.maintain():
            pass
        assert max(levels(memory.file)) < FEW
        assert len(memory.find("zebra")) == 15
    assert_sound(tmp_path, saved)


def test_who_only_reads_maintains_nothing(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        fragmented(memory, 3)
    with Memory(tmp_path) as memory:
        assert memory.find("zebra 1") == ["zebra 1", "zebra 2", "zebra 0"]
        assert not memory.storage.maintain()
        assert levels(memory.file) == [3]


def test_maintenance_waits_for_nobody(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        fragmented(memory, 8)
        other = apsw.Connection(str(memory.file))
        other.execute("BEGIN IMMEDIATE")
        assert not memory.storage.maintain()
        assert levels(memory.file) == [8]
        other.close()
        assert memory.storage.maintain()
        database = memory.storage.registry.file_of(memory.id).database
        with database.writing():
            assert not memory.storage.maintain()


def test_what_a_newer_lamella_has_migrated_is_left_untouched(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        fragmented(memory, 8)
        newer = apsw.Connection(str(memory.file))
        newer.execute("PRAGMA user_version = 99").fetchall()
        newer.close()
        assert not memory.storage.maintain()
    assert levels(memory.file) == [8]


def test_a_process_maintains_a_step_when_it_ends(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        fragmented(memory, 8)
    assert max(levels(memory.file)) < FEW


def test_a_process_that_ends_waits_for_no_other_writer(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        fragmented(memory, 8)
        other = apsw.Connection(str(memory.file))
        other.execute("BEGIN IMMEDIATE")
    assert levels(memory.file) == [8]
    other.close()


def test_a_server_maintains_when_calls_have_stopped(tmp_path: Path) -> None:
    lamella = CommandLine(tmp_path / "data", repository(tmp_path / "orchard"))
    with RawClient(Command(SERVE, lamella.directory, lamella.environment)) as client:
        for number in range(8):
            client.call(number, "save_memory", text=f"zebra {number}")
        until(lambda: max(levels(lamella.project_file)) < FEW)
        assert client.text(8, "recall", query="zebra").splitlines()[-1].startswith("8 result(s)")


@pytest.mark.parametrize("setting", ["", "off"])
def test_a_server_copies_what_changed_unless_that_is_switched_off(tmp_path: Path, setting: str) -> None:
    lamella = CommandLine(tmp_path / "data", repository(tmp_path / "orchard"), {"LAMELLA_BACKUPS": setting})
    copies = tmp_path / "data" / "projects" / "backups"
    with RawClient(Command(SERVE, lamella.directory, lamella.environment)) as client:
        for number in range(8):
            client.call(number, "save_memory", text=f"zebra {number}")
        if setting == "off":
            until(lambda: max(levels(lamella.project_file)) < FEW)
            assert not copies.exists()
        else:
            until(lambda: [path.name.split(".")[1] for path in copies.glob("*.db")] == ["weekly"])

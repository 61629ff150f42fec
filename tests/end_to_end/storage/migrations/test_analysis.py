"""Files whose rows an earlier version analysed: they are analysed anew in steps, and lose no search meanwhile."""

from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import apsw
import pytest

from lamella_adapters.sqlite.file.backups import backups_of
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.schema import migrations
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.hooks.drain_kills import repository
from tests.end_to_end.storage.migrations.older_analysis import (
    BEFORE,
    CONTENTS,
    earlier,
    fill,
    found,
    maintain,
    older,
    rows,
    single_rows,
)
from tests.end_to_end.storage.worker import NOW, Memory, Worker, assert_sound, folder_of_nobody, give_away
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE
from tests.waiting import until

ALL = (len(CONTENTS) - 1, 3)
"""The numbers of memories and messages with the word of all: one memory is purged, tools are not searched."""


def left(path: Path) -> tuple[int, int]:
    """Return the numbers of the last rows that are still to be analysed."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    ((observation, message),) = fetch(connection, "SELECT observation, message FROM unanalysed")
    connection.close()
    return observation, message


def fresh(folder: Path) -> Path:
    fill(folder)
    return Memory(folder).file


def test_a_file_is_found_in_at_once_and_by_more_words_when_it_is_maintained(tmp_path: Path) -> None:
    path = older(tmp_path / "old")
    with Memory(tmp_path / "old") as memory:
        assert [found(memory, text) for text in ("zebra", "2024-05-06", "formerly")] == [ALL, (5, 3), (5, 3)]
        assert [found(memory, text) for text in ("May", "\ud55c\uad6d")] == [(0, 0)] * 2
        assert left(path) == (6, 4)
        maintain(memory)
        assert left(path) == (0, 0)
        assert [found(memory, text) for text in ("zebra", "2024-05-06", "formerly")] == [ALL, (5, 3), (0, 0)]
        assert [found(memory, text) for text in ("May", "\ud55c\uad6d")] == [(5, 3), (1, 0)]
    assert_sound(tmp_path / "old", {})


def test_what_is_saved_purged_restored_and_erased_meanwhile_is_as_in_a_new_file(tmp_path: Path) -> None:
    path = older(tmp_path / "old")
    changed = []
    for folder in ("old", "new"):
        if folder == "new":
            fill(tmp_path / folder)
        with single_rows(), Memory(tmp_path / folder) as memory:
            memory.find("zebra")
            observations = memory.storage.observations(memory.id)
            observations.restore([UUID(int=1)], by=signed(NOW))
            memory.storage.maintain()
            memory.storage.maintain()
            observations.purge([UUID(int=5), UUID(int=0)], by=signed(NOW))
            memory.save("This is it for them, the zebra.", id=UUID(int=99), session="s")
            memory.storage.maintain()
            observations.erase([UUID(int=2)], by=signed())
            memory.storage.maintain()
            observations.restore([UUID(int=0)], by=signed(NOW))
            maintain(memory)
            changed.append(rows(memory.file))
    assert changed[0] == changed[1]
    assert left(path) == (0, 0)


@pytest.mark.parametrize("steps", [0, 3, 8])
def test_rows_that_a_merge_brings_are_analysed_where_they_arrive(tmp_path: Path, steps: int) -> None:
    merged = []
    for folder in (tmp_path / "old", tmp_path / "new"):
        for name, first, session in (("a", 10, "s"), ("b", 20, "t")):
            if folder.name == "old" and name == "a":
                older(folder, name, first=first, session=session)
            else:
                fill(folder, name, first=first, session=session)
        with single_rows(), Memory(folder, "a") as memory, Memory(folder, "b") as other:
            memory.find("zebra")
            for _ in range(steps):
                memory.storage.maintain()
            memory.storage.registry.merge(memory.id, other.location.project_id, by=signed())
            maintain(memory)
            merged.append([rows(other.file), left(other.file)])
            memory.storage.registry.split(memory.location.project_id, by=signed())
            maintain(memory)
            merged[-1] += [rows(memory.file), rows(other.file), left(memory.file), left(other.file)]
    assert merged[0] == merged[1]


def test_processes_take_turns_and_do_all_of_it(tmp_path: Path) -> None:
    path = older(tmp_path / "old")
    with ExitStack() as stack:
        processes = [stack.enter_context(Worker("maintain", tmp_path / "old")) for _ in range(4)]
        assert [each.said() for each in processes] == ["ready"] * 4
        for each in processes:
            each.tell()
        assert [each.rest() for each in processes] == [[list(ALL)]] * 4
        assert all(each.ended_well() for each in processes)
    with Memory(tmp_path / "old") as memory:
        memory.find("zebra")
        maintain(memory)
    assert rows(path) == rows(fresh(tmp_path / "new"))


def test_a_server_that_is_only_asked_analyses_anew_when_calls_have_stopped(tmp_path: Path) -> None:
    path = older(tmp_path / "data")
    lamella = CommandLine(tmp_path / "data", repository(tmp_path / "orchard"), {"LAMELLA_PROJECT": "p"})
    with RawClient(Command(SERVE, lamella.directory, lamella.environment)) as client:
        assert client.text(1, "recall", query="zebra").splitlines()[-1].startswith(f"{ALL[0]} result(s)")
        until(lambda: left(path) == (0, 0))
    assert rows(path) == rows(fresh(tmp_path / "new"))


def test_a_file_that_cannot_be_written_is_read_as_it_is() -> None:
    with folder_of_nobody() as folder:
        path = fresh(folder)
        before = path.read_bytes()
        give_away(folder, 0o500)
        with Worker("as_nobody", folder, "new") as nobody:
            assert len(nobody.said()) == ALL[0]
            assert nobody.said()[0] == "StorageReadOnlyError"
            assert path.read_bytes() == before
            give_away(folder, 0o700)
            nobody.tell()
            assert len(nobody.said()) == ALL[0]
            assert nobody.said() == "still read-only"
            assert left(path) == (len(CONTENTS), 4)


def test_the_next_analysis_needs_no_more_than_its_place_in_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fresh(tmp_path)
    monkeypatch.setattr(migrations, "PROJECT", (*migrations.PROJECT, migrations.ANALYSE_ANEW))
    with Memory(tmp_path) as memory:
        memory.find("zebra")
        assert left(path) == (6, 4)
        maintain(memory)
        assert left(path) == (0, 0)
    assert backups_of(path) == []


def test_a_row_that_another_program_broke_stops_it_and_no_search(tmp_path: Path) -> None:
    path = older(tmp_path)
    behind = Memory(tmp_path)
    behind.execute("UPDATE observation SET created_at = ? WHERE seq = 3", 2**62)
    behind.execute("UPDATE message SET role = 'nobody' WHERE number = 2")
    with single_rows(), Memory(tmp_path) as memory:
        assert memory.find("Yes") == [CONTENTS[5]]
        maintain(memory)
        assert left(path) == (3, 4)
        assert not memory.storage.maintain()
        assert memory.find("Yes") == [CONTENTS[5]]


def test_a_large_file_is_migrated_as_quickly_as_a_small_one(tmp_path: Path) -> None:
    few = older(tmp_path / "few")
    with earlier(tmp_path / "many"), Memory(tmp_path / "many") as memory:
        for number in range(300):
            memory.save(f"zebra {number}")
        many = memory.file
    assert abs(instructions(many) - instructions(few)) < 100


def instructions(path: Path) -> int:
    """Return the number of instructions of SQLite's virtual machine that leaving a file to be analysed takes."""
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_progress_handler(count, 1)
    for migration in migrations.PROJECT[BEFORE : migrations.PROJECT.index(migrations.ANALYSE_ANEW) + 1]:
        connection.execute(migration).fetchall()
    connection.close()
    return steps

"""Files that are gone, replaced or none of ours while it is running: the fault table's rows 16 and 17."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lamella.domain.errors import StorageDamagedError, StorageGoneError
from lamella_adapters.sqlite.file.backups import back_up
from lamella_adapters.sqlite.projects.scope import missing
from tests.end_to_end.storage.worker import Memory, assert_sound, faults, saved_into
from tests.faults.storage.files import BROKEN

TEXT = "x " * 2_000

# Row 16: gone, moved away or replaced while it is open.


def gone(memory: Memory) -> None:
    """Check that every call reports the missing file."""
    for call in (memory.find, lambda: memory.save("into nowhere")):
        with pytest.raises(StorageGoneError):
            call()


def accept_older(memory: Memory, *, count: int) -> None:
    """Check that every call reports missing memories until doctor accepts the present ones."""
    for call in (memory.find, lambda: memory.save("on top of an older copy")):
        with pytest.raises(StorageGoneError, match=f"^In this project, {missing(count)}; nothing was saved"):
            call()
    finding, _ = memory.repaired()
    assert finding.repair == "accept the loss"


def test_nothing_is_saved_into_a_deleted_file(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.save("zebra")
        assert memory.find() == ["zebra"]
        memory.file.unlink()
        gone(memory)
        with Memory(tmp_path) as another:
            gone(another)
            (finding,) = faults(another)
            assert finding.repair == "begin an empty one"
            another.storage.diagnosis.repair(finding)
        # The log of the deleted file is still there, and is not taken for the new one's.
        assert memory.find() == []
        saved = {memory.save("horse").id: "horse"}
    assert_sound(tmp_path, saved)


def test_a_file_that_is_deleted_while_it_is_written_acknowledges_nothing(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        memory.save("zebra")
        database = memory.storage.registry.file_of(memory.id).database
        with pytest.raises(StorageGoneError), database.writing():
            memory.file.unlink()


def test_a_file_that_was_replaced_is_opened_anew_without_the_log_of_the_old_one(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, *(f"zebra {number}" for number in range(50)), session="s")
    backup = back_up(Memory(tmp_path).file, label="test")
    with Memory(tmp_path) as memory, Memory(tmp_path) as other:
        for number in range(50):
            memory.save(f"horse {number} {TEXT}", session="s")
        assert len(memory.find()) == len(other.find()) == 100
        shutil.copy(backup, tmp_path / "copy.db")
        (tmp_path / "copy.db").rename(memory.file)
        accept_older(memory, count=50)
        saved[memory.save("donkey").id] = "donkey"
        assert memory.file.with_name(f"{memory.file.name}-wal").exists()
        saved[other.save("mule").id] = "mule"
        assert set(other.find()) == set(memory.find()) == set(saved.values())
    assert_sound(tmp_path, saved)


def moved_away(data: Path, away: Path) -> None:
    data.rename(away)


def unmounted(data: Path, away: Path) -> None:
    data.rename(away)
    data.mkdir()


@pytest.mark.parametrize("vanish", [moved_away, unmounted])
def test_a_vanished_data_directory_is_not_made_anew(tmp_path: Path, vanish: Callable[[Path, Path], None]) -> None:
    data, away = tmp_path / "data", tmp_path / "away"
    saved = saved_into(data, "zebra")
    with Memory(data) as memory, Memory(data) as idle, Memory(data, "new") as beginning:
        assert memory.find() == ["zebra"]
        vanish(data, away)
        for each in (memory, idle, beginning):
            for call in (each.find, lambda each=each: each.save("into nowhere"), each.storage.registry.all):
                with pytest.raises(StorageGoneError, match=r"^The memory folder is gone"):
                    call()
        assert not data.exists() or list(data.iterdir()) == []
        if data.exists():
            data.rmdir()
        away.rename(data)
        assert idle.find() == memory.find() == ["zebra"]
        saved[memory.save("horse").id] = "horse"
        assert beginning.save("donkey").content == "donkey"
    assert_sound(data, saved)


LEAVE_WAL = """
import apsw, sys
print(apsw.Connection(sys.argv[1]).execute("PRAGMA journal_mode = DELETE").get)
"""


def test_looking_at_a_file_keeps_the_locks_that_this_process_has_on_it(tmp_path: Path) -> None:
    with Memory(tmp_path) as memory:
        saved = {memory.save("zebra").id: "zebra"}
        assert memory.find() == ["zebra"]
        assert faults(memory) == []
        with Memory(tmp_path) as another:
            assert another.find() == ["zebra"]
        for path in (memory.file, memory.storage.registry.path):
            alone = subprocess.run(
                [sys.executable, "-c", LEAVE_WAL, path], capture_output=True, text=True, check=False
            )
            assert (alone.stdout, "BusyError" in alone.stderr) == ("", True)
    assert_sound(tmp_path, saved)


# Row 17: not a database, or not ours.


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir(mode=0o700)


@pytest.mark.parametrize("make", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("name", ["registry", "project"])
def test_what_is_no_database_of_ours_is_left_untouched(
    tmp_path: Path, name: str, make: Callable[[Path], object]
) -> None:
    saved = saved_into(tmp_path, "zebra")
    path = tmp_path / "registry.db" if name == "registry" else Memory(tmp_path).file
    make(path)
    before = path.read_bytes()
    with Memory(tmp_path) as memory:
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises(StorageDamagedError, match="it was left untouched"):
                call()
        assert path.read_bytes() == before
        assert list(path.parent.glob(f"{path.name}-*")) == []
        (finding,) = faults(memory)
        assert path.read_bytes() == before
        memory.storage.diagnosis.repair(finding)
        (aside,) = path.parent.glob(f"{path.name}.damaged-*")
        assert aside.read_bytes() == before
        assert memory.find() == (["zebra"] if name == "registry" else [])
        assert faults(memory) == []
    assert_sound(tmp_path, saved if name == "registry" else {})


@pytest.mark.parametrize("name", ["registry", "project"])
@pytest.mark.parametrize("make", [folder, os.mkfifo])
def test_what_is_no_file_is_said_so_and_set_aside_on_request(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    saved = saved_into(tmp_path, "zebra")
    path = tmp_path / "registry.db" if name == "registry" else Memory(tmp_path).file
    path.unlink()
    make(path)
    path.chmod(0o700 if path.is_dir() else 0o600)
    with Memory(tmp_path) as memory:
        for call in (memory.find, lambda: memory.save("never")):
            with pytest.raises(StorageDamagedError, match=f"^{path.name} is not a regular file"):
                call()
        memory.repaired()
    assert_sound(tmp_path, saved if name == "registry" else {})


def test_a_link_in_the_place_of_the_save_counter_is_not_followed(tmp_path: Path) -> None:
    saved = saved_into(tmp_path / "data", "zebra")
    victim = tmp_path / "victim"
    victim.write_text("precious")
    with Memory(tmp_path / "data") as memory:
        note = memory.file.with_suffix(".count")
        note.unlink()
        note.symlink_to(victim)
        saved[memory.save("horse").id] = "horse"
        assert memory.find() == ["horse", "zebra"]
    assert victim.read_text() == "precious"
    assert_sound(tmp_path / "data", saved)


@pytest.mark.parametrize("repository", [True, False])
def test_git_ignores_a_data_directory_inside_of_a_repository(tmp_path: Path, *, repository: bool) -> None:
    if repository:
        subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    saved_into(tmp_path / "deep" / "data", "zebra")
    ignoring = tmp_path / "deep" / "data" / ".gitignore"
    assert ignoring.exists() == repository
    if repository:
        status = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
        assert subprocess.run(status, capture_output=True, check=True).stdout == b""

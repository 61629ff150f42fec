"""Full disks, forbidden folders, and altered schemas: the fault table's rows 10 to 13, 18, 46 and 47."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import UUID

import apsw
import pytest

from lamella.domain.errors import StorageError, StorageReadOnlyError
from tests.end_to_end.storage.worker import Memory, Worker, assert_sound, folder_of_nobody, give_away, saved_into

READ_ONLY = "The memory folder is read-only: memories can be recalled, but not changed."

# Rows 10 to 12: no room; `tests/faults/storage/disk.py` has what a disk refuses to write.


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of two megabytes at `folder`, where this user may mount one."""
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "lamella-test", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may not mount a disk")
    try:
        yield
    finally:
        # At once for everybody else, also if some other process looks at it just now.
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_read_by_a_process_that_starts(tmp_path: Path) -> None:
    with small_disk(tmp_path):
        with Memory(tmp_path) as memory:
            memory.save("zebra")
        with suppress(OSError), (tmp_path / "rest").open("wb", buffering=0) as file:
            while file.write(b"x" * 1024):
                pass
        with Memory(tmp_path) as memory:
            assert memory.find("zebra") == ["zebra"]
            with pytest.raises(StorageError):
                memory.save("still full")
            (tmp_path / "rest").unlink()
            memory.save("zebra freed")
            assert sorted(memory.find("zebra")) == ["zebra", "zebra freed"]


# Row 13: a folder in which this user may not write.


@pytest.mark.parametrize("log", ["none", "a live process's", "a killed process's", "one without shared memory"])
def test_a_read_only_folder_is_read_and_refuses_to_save(log: str) -> None:
    with folder_of_nobody() as folder, ExitStack() as stack:
        saved = saved_into(folder, "zebra one", session="s")
        if log == "a live process's":
            live = stack.enter_context(Memory(folder))
            saved[live.save("zebra two").id] = "zebra two"
        elif log != "none":
            with Worker("save", folder, "zebra", 3, "stay") as killed:
                assert killed.said() == "ready"
                killed.tell()
                saved |= {UUID(hex=id): content for id, content in [killed.said() for _ in range(3)]}
                assert killed.said() == "ready"
                killed.send(signal.SIGKILL)
        if log == "one without shared memory":
            for path in folder.rglob("*-shm"):
                path.unlink()
        give_away(folder, 0o500)
        with Worker("as_nobody", folder) as worker:
            found = worker.said()
            assert set(found) >= set(saved.values())
            assert worker.said() == ["StorageReadOnlyError", READ_ONLY]
            give_away(folder, 0o700)
            with Memory(folder) as another:
                saved[another.save("zebra of another").id] = "zebra of another"
            give_away(folder, 0o500)
            worker.tell()
            assert sorted(worker.said()) == sorted([*found, "zebra of another"])
            assert worker.said() == ["StorageReadOnlyError", READ_ONLY]
            give_away(folder, 0o700)
            worker.tell()
            assert sorted(worker.said()) == sorted([*found, "zebra of another"])
            assert worker.said() == "writable again"
            worker.tell()
            assert worker.said() == ["writable again"]
        assert_sound(folder, saved)


def test_a_file_that_was_opened_for_reading_only_after_an_error_is_opened_anew(tmp_path: Path) -> None:
    saved = saved_into(tmp_path, "zebra")
    with Memory(tmp_path) as memory:
        saved[memory.save("horse").id] = "horse"
        writer = memory.storage.registry.file_of(memory.id).database._writer
        assert writer.connection is not None
        writer.connection.close()
        writer.connection = apsw.Connection(str(memory.file), flags=apsw.SQLITE_OPEN_READONLY)
        with pytest.raises(StorageReadOnlyError):
            memory.save("never")
        saved[memory.save("donkey").id] = "donkey"
    assert_sound(tmp_path, saved)


# Rows 46 and 47: where the files are, and whose.


@pytest.mark.parametrize("mask", ["022", "000"])
@pytest.mark.parametrize("linked", [False, True], ids=["plain", "linked"])
def test_everything_belongs_to_its_owner_alone(tmp_path: Path, mask: str, linked: bool) -> None:
    real = folder = tmp_path / "real"
    if linked:
        real.mkdir(mode=0o755)
        folder = tmp_path / "link"
        folder.symlink_to(real)
    with Worker("masked", folder, mask) as worker:
        assert worker.said() == "ready"
        modes = {path.relative_to(real): path.stat().st_mode & 0o777 for path in (real, *real.rglob("*"))}
        assert {path.suffix: mode for path, mode in modes.items()} == {
            "": 0o700,
            ".db": 0o600,
            ".db-wal": 0o600,
            ".db-shm": 0o600,
            ".count": 0o600,
        }
        assert {Path(), Path("projects"), Path("projects/backups")} <= set(modes)
        worker.tell()
        assert worker.ended_well()

"""Files that are broken in the middle, and what disturbs those who salvage them."""

import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import apsw
import pytest

from lamella.domain.errors import StorageError
from lamella.domain.memories.observation import Kind
from lamella_adapters.sqlite.doctor.recovery.recover import recover
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.damage.broken_files import everything, harmless, overwrite, pages_root, salvaged
from tests.end_to_end.storage.worker import Memory, Worker, assert_sound, faults, older_schema, saved_into
from tests.waiting import until


def test_who_has_the_file_open_goes_on_saving_and_loses_nothing(folder: Path) -> None:
    harmless(folder)
    with Memory(folder) as memory, Worker("save", folder, "busy", 0) as worker:
        assert worker.said() == "ready"
        worker.tell()
        said = [worker.said() for _ in range(20)]
        (finding,) = faults(memory)
        assert "memories, " in memory.storage.diagnosis.repair(finding)
        said += [worker.said() for _ in range(20)]
        worker.send(signal.SIGKILL)
        said += worker.rest()
        assert faults(memory) == []
        assert None not in said
    assert_sound(folder, {UUID(hex=id): content for id, content in said})


@pytest.mark.parametrize("files", range(1, 6))
def test_a_salvage_that_is_killed_changes_nothing_or_all(folder: Path, files: int) -> None:
    harmless(folder)
    path = Memory(folder).file
    with Memory(folder) as memory:
        before = {each.id: each.content for each in everything(memory)}
    with Worker("repair", folder) as worker:
        until(lambda: worker.process.poll() is not None or len([*path.parent.glob("*.left-*")]) >= files)
        worker.send(signal.SIGKILL)
    with Memory(folder) as memory:
        for finding in faults(memory):
            memory.storage.diagnosis.repair(finding)
        assert faults(memory) == []
        assert {each.id: each.content for each in everything(memory)} == before
    assert_sound(folder, before)


LIMITED = """
import resource, sys
from pathlib import Path
from tests.end_to_end.storage.worker import Memory, faults
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
with Memory(Path(sys.argv[1])) as memory:
    (finding,) = faults(memory)
    memory.storage.diagnosis.repair(finding)
"""


@pytest.mark.unmeasured
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_without_room_for_a_salvage_everything_stays_as_it_is(folder: Path, share: float) -> None:
    harmless(folder)
    path = Memory(folder).file
    before, broken = sorted(path.parent.iterdir()), path.read_bytes()
    limit = str(int(len(broken) * share))

    done = subprocess.run(
        [sys.executable, "-c", LIMITED, folder, limit], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert re.search("File too large|The disk or a file-size limit refused", done.stderr.splitlines()[-1])
    assert path.read_bytes() == broken
    assert [each for each in sorted(path.parent.iterdir()) if each not in before] == []


def never(_: apsw.Connection) -> None:
    raise AssertionError("the file's own row was lost")


def test_a_file_of_an_older_schema_comes_back_in_the_present_one(tmp_path: Path) -> None:
    with older_schema(tmp_path, 1):
        saved = saved_into(tmp_path, *(f"zebra {number}" for number in range(50)), session="s", kind=Kind.CHANGE)
    path = Memory(tmp_path).file
    # So that no migration can be made.
    overwrite(path, [pages_root(path, "code_change")], random.Random(3))  # noqa: S311 - repeatable
    said = recover(path, never)
    assert said.startswith("50 memories, ")
    with Memory(tmp_path) as memory:
        assert faults(memory) == []
        assert {each.id: each.content for each in everything(memory)} == saved
    assert_sound(tmp_path, saved)


def test_erasing_names_the_broken_file_that_was_kept(folder: Path) -> None:
    harmless(folder)
    with Memory(folder) as memory:
        salvaged(memory)
        id = everything(memory)[0].id
        with pytest.raises(StorageError, match="damaged files that were set aside may still hold them"):
            memory.storage.observations(memory.id).erase([id], by=signed())

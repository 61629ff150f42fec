"""Disks that fail at one write or one sync: the fault table's row 12."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from attrs import define

from lamella.domain.errors import StorageError
from tests.end_to_end.storage.worker import Memory, Saved, assert_sound, saved_into

REASONS = {
    apsw.FullError: "The disk is full; nothing was saved.",
    apsw.IOError: "The disk or a file-size limit refused to write; nothing was saved.",
}
OPERATIONS = 60
"""More than a save needs."""


@define
class Fault:
    """An error after so many writes and syncs that go well; None never comes."""

    left: int | None = None
    kind: type[apsw.Error] = apsw.IOError

    def operation(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise self.kind("injected")


class Disk(apsw.VFS):
    """A disk that fails when it is told to."""

    def __init__(self, fault: Fault) -> None:
        super().__init__("failing", "unix", makedefault=True)
        self.fault = fault

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as APSW calls it
        return FailingFile(self.fault, name, flags)


class FailingFile(apsw.VFSFile):
    """One file of such a disk."""

    def __init__(self, fault: Fault, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self.fault = fault

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - as APSW calls it
        self.fault.operation()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - as APSW calls it
        self.fault.operation()
        super().xSync(flags)


@pytest.fixture
def fault() -> Iterator[Fault]:
    fault = Fault()
    disk = Disk(fault)
    try:
        yield fault
    finally:
        disk.unregister()


# APSW prints what is raised in a VFS beside the error that SQLite makes of it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("kind", REASONS)
def test_a_save_that_the_disk_fails_is_refused_and_the_next_one_works(
    tmp_path: Path, fault: Fault, kind: type[apsw.Error]
) -> None:
    saved: Saved = saved_into(tmp_path, "zebra", session="s")
    refusals: list[str] = []
    with Memory(tmp_path) as memory:
        memory.save("warm", session="s")
        for left in range(OPERATIONS):
            fault.kind, fault.left = kind, left
            content = f"zebra {left} " + "word " * 2_000
            try:
                id = memory.save(content, session="s").id
            except StorageError as error:
                refusals.append(error.reason)
                # Reads go on while the disk still fails.
                assert set(memory.find("zebra")) >= set(saved.values())
            else:
                saved[id] = content
            fault.left = None
            saved[memory.save(f"zebra after {left}", session="s").id] = f"zebra after {left}"
    assert OPERATIONS > len(refusals) > 5
    assert set(refusals) == {REASONS[kind]}
    assert_sound(tmp_path, saved)

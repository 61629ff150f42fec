"""Disks that fail: the Nth operation of some work gets an error, and N is swept over all that the work needs."""

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import starmap
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import apsw
from attrs import define, frozen

from lamella.domain.errors import LamellaError
from lamella_adapters.sqlite.file.backups import back_up
from lamella_adapters.sqlite.schema import migrations
from lamella_contracts.fixtures.project import signed
from tests.end_to_end.storage.damage.broken_files import everything
from tests.end_to_end.storage.worker import NEWER, Memory, Saved, assert_sound, leftovers, saved_into
from tests.faults.fault import Injections

ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
ERASED = "plinkett"
Disk = Callable[[], AbstractContextManager[None]]

_CALLS: dict[str, tuple[Any, ...]] = {
    "open": (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_int),
    "pwrite64": (ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64),
    "ftruncate": (ctypes.c_int, ctypes.c_int, ctypes.c_int64),
    "unlink": (ctypes.c_int, ctypes.c_char_p),
}
"""System calls that SQLite lets others replace, with the types of their results and arguments."""

_MANY = 1_000_000
"""More operations than any work needs."""

_EVENTS = {"open", "os.rename", "os.remove", "os.mkdir"}
"""Operations of our own that fail, by the names of their audit events."""


@define
class Failing:
    """Operations on files below `folder`, of which one fails."""

    folder: str = ""
    left: int | None = None
    """Operations before it; None for none that fails."""
    error: int = errno.EIO

    def fails(self) -> bool:
        """Count one operation. Return True if it is the one."""
        if self.left is None:
            return False
        self.left -= 1
        if self.left < 0:
            self.left = None
        return self.left is None


class Syncs(apsw.VFS):
    """Files whose syncs fail, which no replaced system call can do."""

    def __init__(self, failing: Failing) -> None:
        super().__init__("failing", "unix", makedefault=True)
        self.failing = failing

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 - as APSW calls it
        return SyncedFile(self.failing, name, flags)


class SyncedFile(apsw.VFSFile):
    """One of them."""

    def __init__(self, failing: Failing, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self.failing = failing

    def xSync(self, flags: int) -> None:  # noqa: N802 - as APSW calls it
        if self.failing.fails():
            raise apsw.IOError("injected")
        super().xSync(flags)


_FAILING = Failing()
"""The one of this process: audit hooks stay until it ends."""


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _FAILING.left is None or event not in _EVENTS or not isinstance(arguments[0], str | os.PathLike):
        return
    path = os.fspath(arguments[0])
    if str(path).startswith(_FAILING.folder) and _FAILING.fails():
        raise OSError(_FAILING.error, os.strerror(_FAILING.error), path)


@contextmanager
def failing_calls() -> Iterator[None]:
    """Replace system calls by such as fail when they are told to."""
    vfs = apsw.VFS("replacing", "unix")
    before = {name: vfs.xGetSystemCall(name) or 0 for name in _CALLS}
    kept = []  # ctypes forgets callbacks that nobody holds

    def replaced(original: Callable[..., int]) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            if _FAILING.fails():
                ctypes.set_errno(_FAILING.error)
                return -1
            return original(*arguments)

        return call

    for name, types in _CALLS.items():
        kind = ctypes.CFUNCTYPE(*types, use_errno=True)
        kept.append(kind(replaced(kind(before[name]))))
        vfs.xSetSystemCall(name, ctypes.cast(kept[-1], ctypes.c_void_p).value or 0)
    try:
        yield
    finally:
        for name, pointer in before.items():
            vfs.xSetSystemCall(name, pointer)
        vfs.unregister()


@contextmanager
def failing_syncs() -> Iterator[None]:
    """Open files whose syncs fail."""
    syncs = Syncs(_FAILING)
    try:
        yield
    finally:
        syncs.unregister()


@frozen
class Work:
    """Work that a disk disturbs."""

    before: Callable[[Path], Saved]
    """Makes what is there, and returns what has to stay."""
    do: Callable[[Memory, Saved], None]
    """Does the work; adds to what has to stay what was acknowledged, and takes out what was erased."""
    after: Callable[[Memory], object] = Memory.find
    """Must work at once when the disk works again."""


def _saves(memory: Memory, saved: Saved) -> None:
    for content in ("zebra anew", "zebra again " + "word " * 2_000):
        saved[memory.save(content, session="s").id] = content


def _finds(memory: Memory, saved: Saved) -> None:
    assert sorted(memory.find()) == sorted(saved.values())


def _to_erase(folder: Path) -> Saved:
    saved = saved_into(folder, f"the {ERASED}", "before", "after", session="s")
    back_up(Memory(folder).file, label="test")
    return saved


def _erases(memory: Memory, saved: Saved) -> None:
    gone = next(iter(saved))
    del saved[gone]
    memory.storage.observations(memory.id).erase([gone], by=signed())


def _erased(memory: Memory) -> None:
    """Whatever failed, an erase that is repeated leaves no byte."""
    ids = [each.id for each in everything(memory) if ERASED in each.content]
    memory.storage.observations(memory.id).erase(ids, by=signed())
    assert leftovers(memory.storage.folder, ERASED) == []


SAVE = Work(lambda folder: saved_into(folder, "zebra", session="s"), _saves)
FIRST = Work(lambda _: {}, _saves)
UPGRADE = Work(lambda folder: saved_into(folder, "zebra one", "zebra two", session="s"), _finds)
ERASE = Work(_to_erase, _erases, _erased)


def errors(work: Work, *, upgraded: bool = False) -> Callable[[Path, Random], Injections]:
    """Return the injector that lets each operation of `work` fail, with each error, in any order."""

    def inject(folder: Path, noise: Random) -> Injections:
        original = folder / "original"
        original.mkdir()
        saved = work.before(original)
        newest = (*migrations.PROJECT, NEWER) if upgraded else migrations.PROJECT
        if not _FAILING.folder:
            sys.addaudithook(_audit)
        _FAILING.folder = str(folder)

        def disturbed(disk: Disk, error: int, number: int) -> tuple[str, int | None]:
            copy = folder / f"{number}"
            shutil.copytree(original, copy)
            with disk(), patch.object(migrations, "PROJECT", newest):
                outcome = _disturbed(work, copy, dict(saved), error, number)
            shutil.rmtree(copy)
            return outcome

        attempts = []
        for disk, codes in ((failing_calls, ERRORS), (failing_syncs, (errno.EIO,))):
            _, left = disturbed(disk, errno.EIO, _MANY)
            assert left is not None
            attempts += [(disk, error, number) for error in codes for number in range(_MANY - left)]
        noise.shuffle(attempts)
        yield from (outcome for outcome, _ in starmap(disturbed, attempts))

    return inject


def _disturbed(work: Work, folder: Path, saved: Saved, error: int, number: int) -> tuple[str, int | None]:
    """Let the operation with that number fail. Return what came of it, and how many more it would have taken."""
    _FAILING.left, _FAILING.error = number, error
    refused = ""
    with Memory(folder) as memory:
        try:
            work.do(memory, saved)
        except LamellaError as refusal:
            refused = str(refusal)
            assert refused
        finally:
            left, _FAILING.left = _FAILING.left, None
        work.after(memory)
    assert_sound(folder, saved)
    return "refused with a reason, and the next try works" if refused else "done all the same", left

"""What is done on Windows, as far as stand-ins for its calls tell; nothing was tried there."""

import os
import runpy
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from lamella_adapters.hooks.launch import command
from lamella_adapters.process import calls, locks, settings
from lamella_adapters.process.start import data_directory_of_windows
from lamella_adapters.process.system import RecordedMachine
from lamella_adapters.sqlite.file import folders
from tests.unit.support.tables import cases

LACKING = ("geteuid", "fchmod", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK")


@pytest.fixture
def windows() -> Any:
    """The module `os` of Windows."""
    there = {name: value for name, value in vars(os).items() if name not in LACKING}
    return SimpleNamespace(**{**there, "name": "nt"})


def test_calls_are_those_of_os_and_flags_that_are_missing_are_0(
    monkeypatch: pytest.MonkeyPatch, windows: Any, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "posix", None)
    monkeypatch.setitem(sys.modules, "os", windows)
    monkeypatch.setitem(os.environ, "LAMELLA_AUTHOR", "ädä")
    posix = runpy.run_path(str(calls.__file__))["posix"]
    assert [getattr(posix, name) for name in LACKING[2:]] == [0, 0, 0, 0]
    assert posix.environ[b"LAMELLA_AUTHOR"] == "ädä".encode()
    posix.close(posix.open(tmp_path / "new", posix.O_CREAT | posix.O_WRONLY | posix.O_NOFOLLOW, 0o600))
    assert (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["file", "folder"])
def test_a_lock_is_one_byte_of_a_file(
    monkeypatch: pytest.MonkeyPatch, windows: Any, tmp_path: Path, name: str
) -> None:
    locked: list[int] = []

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        if locked:
            raise PermissionError(13, "Permission denied")
        locked.append(descriptor)

    msvcrt = ModuleType("msvcrt")
    msvcrt.__dict__.update(locking=locking, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr(locks, "_lock", locks._platform()[0])
    monkeypatch.setattr(locks, "os", windows)
    (tmp_path / "folder").mkdir()
    with locks.locked(tmp_path / name, until=time.monotonic()):
        assert not locks.lock(0, shared=True)
        with pytest.raises(TimeoutError), locks.locked(tmp_path / name, until=time.monotonic()):
            pass
    assert len(locked) == 1
    assert (tmp_path / "folder/.lock").exists() == (name == "folder")


@cases
def test_the_data_directory_is_that_of_the_user(chosen: str, local: str, home: str, directory: str) -> None:
    assert data_directory_of_windows(chosen, local, home) == directory


def test_settings_ask_the_variables_of_windows(monkeypatch: pytest.MonkeyPatch, windows: Any) -> None:
    monkeypatch.setattr(settings, "os", windows)
    found = settings.settings_from({"LOCALAPPDATA": "C:\\Users\\ada\\AppData\\Local"}).data_directory
    assert str(found) == "C:\\Users\\ada\\AppData\\Local\\lamella"


def test_the_user_is_named_by_a_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pwd", None)
    monkeypatch.setenv("USERNAME", "ada")
    assert RecordedMachine(tmp_path).user() == "ada"


def test_files_and_folders_are_made_without_modes(
    monkeypatch: pytest.MonkeyPatch, windows: Any, tmp_path: Path
) -> None:
    monkeypatch.setattr(folders, "os", windows)
    made = folders.new_file(folders.own_directory(tmp_path / "data") / "file")
    folders.sync(made)
    monkeypatch.delattr(windows, "fsync")
    folders.sync(made.parent)
    assert made.exists()


def test_hooks_are_started_by_the_launcher_of_python(monkeypatch: pytest.MonkeyPatch, windows: Any) -> None:
    monkeypatch.setattr(command, "os", windows)
    monkeypatch.setattr(command, "_SCRIPT", "C:\\Program Files\\lamella\\hook.py")
    line = command.hook_command("copilot", "sessionStart")
    script = '"C:\\Program Files\\lamella\\hook.py"'
    assert line == f"py -3 -I -S {script} copilot sessionStart 2>NUL || exit /b 0"

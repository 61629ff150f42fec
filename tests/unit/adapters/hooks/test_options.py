import os
import posix
import sys
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS

from lamella_adapters.hooks.options import data_directory, switched_on
from lamella_adapters.process.settings import settings_from
from tests.unit.support.tables import cases


@cases
def test_an_option_is_on_unless_it_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str | None, on: bool
) -> None:
    monkeypatch.delenv("CLAUDE_PLUGIN_OPTION_CAPTURE_EDITS", raising=False)
    monkeypatch.setenv("CLAUDE_PLUGIN_OPTION_CAPTURE_CONVERSATIONS", "false")
    if value is not None:
        monkeypatch.setenv(variable, value)
    assert switched_on("capture_edits") is on


@cases
@pytest.mark.parametrize("platform", ["this one", "darwin"])
def test_hooks_and_servers_keep_memories_in_the_same_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environment: dict[str, str | None], platform: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/somebody")
    for name in ("LAMELLA_DATA_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        if value is None:
            monkeypatch.delenv(name)
        else:
            monkeypatch.setenv(name, value)
    if platform == "darwin":
        monkeypatch.setattr(sys, "platform", "darwin")
        monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    chosen = os.environ.get("LAMELLA_DATA_DIR", "").strip()
    usual = platformdirs.user_data_path("lamella", appauthor=False)
    expected = Path(chosen).expanduser().absolute() if chosen else usual
    assert Path(data_directory()) == settings_from(os.environ).data_directory == expected


def test_without_any_home_there_is_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LAMELLA_DATA_DIR", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(posix, "getuid", lambda: 4_000_000_000)
    with pytest.raises(KeyError):
        data_directory()
    monkeypatch.setenv("LAMELLA_DATA_DIR", "~nobody-of-that-name/memories")
    with pytest.raises(KeyError):
        data_directory()

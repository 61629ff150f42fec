"""A machine on which nothing is set."""

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.unit.adapters.hooks.capture.events import CONTEXT


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory of a machine on which nothing is set, in a Claude Code that is this process."""
    for name in [each for each in os.environ if each.startswith(("CLAUDE", "LAMELLA"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LAMELLA_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    says_nothing = ModuleType(CONTEXT)
    says_nothing.answer = lambda *_: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, CONTEXT, says_nothing)
    return tmp_path / "data"

"""A machine on which nothing is set."""

from pathlib import Path

import pytest

from tests.unit.adapters.hooks.capture.hook_session import nothing_set


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data directory of a machine on which nothing is set, in a Claude Code that is this process."""
    return nothing_set(tmp_path, monkeypatch)

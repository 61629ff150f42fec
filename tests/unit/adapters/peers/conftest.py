"""A home directory without memories."""

from pathlib import Path

import pytest

_SET = (
    *("BASIC_MEMORY_CONFIG_DIR", "BASIC_MEMORY_HOME", "CLAUDE_CONFIG_DIR", "CLAUDE_MEM_DATA_DIR", "CODEX_HOME"),
    *("LAMINARK_DATA_DIR", "MCP_MEMORY_BASE_DIR", "MCP_MEMORY_SQLITE_PATH", "MEM0_DIR", "MEMORY_FILE_PATH"),
    *("NVM_DIR", "npm_config_cache", "npm_config_prefix"),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home directory of this test, with nothing in it and no variable set."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    monkeypatch.setenv("HOME", str(home))
    for name in _SET:
        monkeypatch.delenv(name, raising=False)
    return home

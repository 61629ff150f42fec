"""Places at which clients keep their transcripts."""

from pathlib import Path

import pytest

from lamella.entry_points import adapter

PLACES = {
    "claude_code": (".claude/projects", "CLAUDE_CONFIG_DIR", "projects"),
    "codex": (".codex/sessions", "CODEX_HOME", "sessions"),
    "copilot": (".copilot/session-state", "COPILOT_HOME", "session-state"),
    "cursor": (".cursor/projects", None, ""),
    "gemini": (".gemini/tmp", "GEMINI_CLI_HOME", ".gemini/tmp"),
    "kilo": (".local/share/kilo", "XDG_DATA_HOME", "kilo"),
    "opencode": (".local/share/opencode", "XDG_DATA_HOME", "opencode"),
}
"""Where each client keeps them in the home of the user, and below the folder that a variable names."""


@pytest.mark.parametrize("client", PLACES)
def test_the_place_is_the_clients_own_unless_another_is_named(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, (at_home, variable, below) = adapter("transcripts", client), PLACES[client]
    kind = type(opened(tmp_path))
    assert opened(tmp_path) == kind(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path / "named"))
        assert opened(None) == kind(tmp_path / "named" / below, named=False)
        monkeypatch.delenv(variable)
    assert opened(None) == kind(tmp_path / at_home, named=False)
    assert opened(None).sources() == ()

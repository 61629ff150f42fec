"""Connections of a client are whole or not made, and leave nothing behind."""

import json
from pathlib import Path

import pytest

from lamella_adapters.cli.setup import command
from lamella_adapters.cli.setup.changes import FileChange, Setup
from lamella_adapters.cli.setup.client import CLIENTS
from lamella_adapters.cli.setup.formats.json_text import JSON
from tests.unit.adapters.cli.setup.conftest import NEITHER, Run, files
from tests.unit.support.tables import cases


@cases
def test_server_and_hooks_are_written_both_or_none(name: str, path: str, text: str, home: Path, run: Run) -> None:
    (home / path).parent.mkdir(parents=True)
    (home / path).write_text(text)
    before = files(home)
    done = run(name, "--yes")
    assert (done.exit_code, files(home)) == (1, before)
    assert done.stdout.startswith(f"{name}: left alone ~/{path}: ")
    assert done.stdout.endswith(f".\n{name}: {NEITHER}.\n")


def test_hooks_are_not_written_where_the_server_could_not_be(home: Path, here: Setup) -> None:
    (home / ".codex").mkdir()
    changes = [each for each in here.changes(CLIENTS["codex"]) if isinstance(each, FileChange)]
    (home / ".codex/config.toml").write_text("# changed meanwhile\n")
    assert not command._all_made(here, CLIENTS["codex"], changes, remove=False)
    assert set(files(home)) == {"bin/lamella", ".codex/config.toml"}
    command._all_made(here, CLIENTS["codex"], changes[1:], remove=False)
    going = [each for each in here.changes(CLIENTS["codex"], remove=True) if isinstance(each, FileChange)]
    assert not command._all_made(here, CLIENTS["codex"], [changes[0], *going], remove=True)
    assert set(files(home)) == {"bin/lamella", ".codex/config.toml"}


def folders(home: Path) -> set[str]:
    return {str(each.relative_to(home)) for each in home.rglob("*") if each.is_dir()} - {"bin"}


def test_folders_that_setup_made_go_with_what_was_in_them(home: Path, here: Setup, run: Run) -> None:
    (home / ".copilot").mkdir()
    assert run("copilot", "opencode", "codex", "--yes").exit_code == 0
    made = {".copilot/hooks", ".config", ".config/opencode", ".config/opencode/plugin", ".codex"}
    assert folders(home) == {".copilot", *made}
    assert here.folders.stat().st_mode & 0o777 == 0o600
    (home / ".codex/auth.json").touch()
    assert run("copilot", "codex", "--remove", "--yes").exit_code == 0
    assert folders(home) == {".copilot", ".config", ".config/opencode", ".config/opencode/plugin", ".codex"}
    (home / ".codex/auth.json").unlink()
    (home / ".config/opencode/plugin/lamella.js").unlink()
    (home / ".config/opencode/plugin").rmdir()
    assert run("opencode", "--remove", "--yes").exit_code == 0
    assert (folders(home), here.folders.exists()) == ({".copilot"}, False)
    here.folders.write_text('{"broken": true}')
    assert run("zed", "--yes").exit_code == 0
    here.folders.write_text("broken")
    assert run("zed", "--remove", "--yes").exit_code == 0
    assert folders(home) == {".copilot", ".config", ".config/zed"}


def test_a_hook_at_the_end_of_a_session_of_codex_has_the_time_that_it_allows(home: Path, run: Run) -> None:
    run("codex", "cursor", "--yes")
    hooks = json.loads((home / ".codex/hooks.json").read_text())["hooks"]
    limits = {event: hook["hooks"][0]["timeout"] for event, (hook,) in hooks.items()}
    assert limits.pop("SessionEnd") == 3
    assert {*limits.values()} == {5}
    hooks = json.loads((home / ".cursor/hooks.json").read_text())["hooks"]
    assert {hook["timeout"] for (hook,) in hooks.values()} == {5}


@pytest.mark.parametrize("text", ["// mine", "/* mine */\n", "\ufeff// mine\r\n// too\r\n", " \n"])
@pytest.mark.parametrize("path", [".copilot/mcp-config.json", ".copilot/hooks/lamella.json"])
def test_a_file_of_comments_only_counts_as_empty(text: str, path: str, home: Path, run: Run) -> None:
    file = home / path
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode())
    before = files(home)
    done = run("copilot", "--yes")
    assert (done.exit_code, done.stderr) == (0, "")
    data = JSON.parsed(file.read_text())
    assert file.read_bytes().startswith(text.encode())
    assert data.get("version") == (1 if "hooks" in path else None)
    assert ("hooks" in data) == ("hooks" in path)
    assert run("copilot", "--yes").stdout == "copilot: connected already.\n"
    assert run("copilot", "--remove", "--yes").exit_code == 0
    assert files(home) == before


def test_hooks_stand_where_a_client_looks_for_them(home: Path, run: Run) -> None:
    run("antigravity", "droid", "--yes")
    named = json.loads((home / ".gemini/config/hooks.json").read_text())["lamella"]
    grouped = {event: "hooks" in hook for event, (hook,) in named.items()}
    assert grouped == {"PreInvocation": False, "PostToolUse": True, "Stop": False}
    assert "SessionStart" in json.loads((home / ".factory/hooks.json").read_text())

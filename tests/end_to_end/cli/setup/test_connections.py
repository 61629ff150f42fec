import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from attrs import evolve

from lamella_adapters.cli.setup.changes import FileChange, Remark, Setup
from lamella_adapters.cli.setup.client import CLIENTS
from lamella_adapters.cli.setup.connections import connections
from lamella_adapters.cli.setup.machine import UserMachine
from tests.end_to_end.git.git_repository import executable
from tests.unit.support.tables import cases

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def here(tmp_path: Path) -> Setup:
    """Return a machine with six connected clients."""
    program = tmp_path / "bin" / "lamella"
    program.parent.mkdir()
    program.touch(0o700)
    here = Setup(
        machine=UserMachine(home=tmp_path, environment={}, platform="linux"),
        command=(str(program), "serve"),
        hook=lambda client, event: f"lamella hook {client} {event}",
        plugins={"opencode": "// lamella"},
        folders=tmp_path / "data" / "setup-folders.json",
    )
    for name in ("codex", "gemini", "opencode", "continue", "zed", "crush"):
        for change in here.changes(CLIENTS[name]):
            assert isinstance(change, FileChange)
            change.make()
    return here


def never(_: str) -> None:
    return None


def told(here: Setup, called: Callable[[str], float | None] = never) -> dict[str, str]:
    return {each.subject: f"{each.severity}: {each.message}" for each in connections(here, called, NOW)}


def test_connected_clients_and_what_they_have_are_told(here: Setup) -> None:
    waits = "ok: connected, its hooks have not run yet"
    assert told(here) == {
        "Codex": f"{waits}; Codex runs the hooks after you have trusted them in /hooks.",
        "Gemini CLI": f"{waits}; Gemini CLI starts servers and hooks only in folders that you trust.",
        "opencode": f"{waits}.",
        **dict.fromkeys(("Continue", "Zed", "Crush"), "ok: connected, its instructions are set up."),
    }


@cases
def test_the_last_run_of_hooks_is_told(ago: timedelta, words: str, here: Setup) -> None:
    at = (NOW - ago).timestamp()
    assert told(here, {"gemini": at}.get)["Gemini CLI"] == f"ok: connected, its hooks ran {words} ago."


def test_a_program_that_is_gone_is_warned_of(here: Setup) -> None:
    Path(here.command[0]).unlink()
    why = f"{here.command[0]} is not there, its instructions are set up"
    assert told(here)["Continue"] == f"warning: {why}; to connect it anew: lamella setup continue"


def test_half_a_connection_is_told(here: Setup) -> None:
    home = here.machine.home
    (home / ".codex/config.toml").unlink()
    (home / ".gemini/settings.json").write_text('{"mcpServers": {"lamella": {"command": "/bin/sh"}}}')
    (home / ".continue/config.yaml").write_text("{")
    (home / ".config/crush/crush.json").unlink()
    found = told(here)
    assert found["Codex"].startswith("warning: its server is missing, its hooks have not run yet; ")
    assert found["Codex"].endswith("; to connect it anew: lamella setup codex")
    assert found["Gemini CLI"] == "ok: connected, its hooks are not set up."
    again = "warning: its server is missing, its instructions are set up; to connect it anew: lamella setup"
    assert (found["Continue"], found["Crush"]) == (f"{again} continue", f"{again} crush")
    (home / ".config/crush/crush.json").write_text('{"mcp": {"lamella": {"command": "/bin/sh"}}}')
    (home / ".config/crush/CRUSH.md").unlink()
    assert told(here)["Crush"] == "ok: connected, its instructions are not set up."


@pytest.mark.parametrize("plugged", [True, False])
def test_a_claude_code_that_is_too_old_is_warned_of_whether_connected_or_not(plugged: bool, here: Setup) -> None:
    home = here.machine.home
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(json.dumps({"enabledPlugins": {"lamella@lamella": plugged}}))
    claude = executable(home / "bin" / "claude", "echo '2.1.196 (Claude Code)'")
    here = evolve(here, machine=evolve(here.machine, environment={"PATH": str(claude.parent)}))
    found = [each.message for each in connections(here, never, NOW) if each.subject == "Claude Code"]
    why = "its version is 2.1.196, and lamella needs 2.1.197; update it: claude update"
    assert found == [*["connected, its hooks have not run yet."] * plugged, why]
    executable(claude, "echo '2.1.197 (Claude Code)'")
    found = [each.message for each in connections(here, never, NOW) if each.subject == "Claude Code"]
    assert found == ["connected, its hooks have not run yet."] * plugged


@cases
def test_any_client_with_an_oldest_version_is_checked_once_connected(
    client: str, told: str, warns: bool, here: Setup
) -> None:
    program = executable(here.machine.home / "bin" / CLIENTS[client].program, f"echo '{told}'")
    machine = evolve(here.machine, environment={"PATH": str(program.parent)})
    here = evolve(here, machine=machine, plugins={"pi": "// lamella"})
    why = f"its version is {told}, and lamella needs {CLIENTS[client].needs}; update it"
    assert CLIENTS[client].title not in told_of(here)
    remarks = [each for each in here.changes(CLIENTS[client]) if isinstance(each, Remark)]
    assert remarks == [Remark(text=why, command=CLIENTS[client].update)] * warns
    for change in here.changes(CLIENTS[client]):
        if isinstance(change, FileChange):
            change.make()
    assert told_of(here)[CLIENTS[client].title] == [
        "ok: connected, its hooks have not run yet.",
        *[f"warning: {why}: {CLIENTS[client].update}"] * warns,
    ]
    assert not any(isinstance(each, Remark) for each in here.changes(CLIENTS[client], remove=True))


def told_of(here: Setup) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in connections(here, never, NOW):
        found.setdefault(each.subject, []).append(f"{each.severity}: {each.message}")
    return found


def test_pages_name_the_versions_that_are_checked() -> None:
    top = Path(__file__).parents[4]
    for name in ("README.md", "docs/claude-code.md"):
        oldest = re.search(r"Claude Code (?:\(|must be )([\d.]+) or newer", (top / name).read_text("utf-8"))
        assert oldest is not None
        assert oldest[1] == CLIENTS["claude-code"].needs
    page = (top / "docs/clients.md").read_text("utf-8")
    named = dict(re.findall(r"\| ([^|,]+), ([\d.]+) or newer \|", page))
    needed = {each.title: each.needs.removesuffix(".0") for each in CLIENTS.values() if each.needs}
    assert named == needed


@cases
def test_claude_code_has_the_plugin_or_the_server(plugged: bool, message: str, here: Setup) -> None:
    (here.machine.home / ".claude").mkdir()
    settings = {"enabledPlugins": {"lamella@lamella": plugged}}
    (here.machine.home / ".claude/settings.json").write_text(json.dumps(settings))
    (here.machine.home / ".claude.json").write_text('{"mcpServers": {"lamella": {"command": "lamella"}}}')
    assert told(here)["Claude Code"] == message
    # Hooks that ran before the plugin was removed say nothing about now.
    ran = told(here, {"claude-code": NOW.timestamp()}.get)["Claude Code"]
    assert ran == message.replace("have not run yet", "ran a moment ago")

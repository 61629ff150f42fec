"""The line that clients run, and the script that it names."""

import json
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lamella_adapters.cli import hook as command_line
from lamella_adapters.hooks import hook, run
from lamella_adapters.hooks.clients import EDIT
from lamella_adapters.hooks.launch.command import hook_command
from tests.end_to_end.support import unhurried
from tests.unit.adapters.hooks.clients.recorded import recorded

SCRIPT = Path(hook.__file__)


def test_the_line_captures_what_it_is_given(tmp_path: Path) -> None:
    line = json.dumps(recorded("PostToolUse-edit")).encode()
    command = hook_command("claude-code").replace(str(SCRIPT), str(unhurried.script(tmp_path / "script.py")))
    environment = {"LAMELLA_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", "-c", command], input=line, env=environment, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    (spooled,) = (tmp_path / "spool").iterdir()
    assert json.loads(spooled.read_bytes())["event"] == EDIT


@pytest.mark.parametrize("client", ["no-client", "../x", "", "run"])
def test_an_unknown_client_is_no_failure(tmp_path: Path, client: str) -> None:
    environment = {"LAMELLA_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    shell = ["sh", "-c", hook_command(client, "Stop")]
    done = subprocess.run(shell, input=b"{}\n", env=environment, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_path_with_spaces_is_quoted_and_the_event_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/my python")
    line = hook_command("copilot", "sessionStart")
    assert shlex.split(line)[:6] == ["/opt/my python", "-I", "-S", str(SCRIPT), "copilot", "sessionStart"]
    assert line.endswith(" 2>/dev/null || exit 0")


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Return the arguments that the main program gets."""
    calls: list[tuple[str, ...]] = []

    def note(*words: str) -> None:
        calls.append(words)

    monkeypatch.setattr(run, "run", note)
    monkeypatch.setattr(command_line, "run", note)
    return calls


def test_the_script_finds_packages_beside_it_in_a_checkout_and_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, called: list[tuple[str, ...]]
) -> None:
    before = len(sys.path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), "copilot", "sessionStart", "more"])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    beside, checkout, environment = map(Path, sys.path[before:])
    assert beside == SCRIPT.parents[2]
    assert {"apsw", "lamella"} <= {each.name for place in (checkout, environment) for each in place.iterdir()}
    assert called == [("copilot", "sessionStart")]


@pytest.mark.parametrize("words", [[], ["codex"], ["copilot", "sessionStart"], ["--odd", "x", "y"]])
def test_the_command_takes_any_words(called: list[tuple[str, ...]], words: list[str]) -> None:
    assert CliRunner().invoke(command_line.hook, words).exit_code == 0
    assert called == [tuple(words[:2])]

"""The line that clients run, and the script that it names."""

import runpy
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lamella_adapters.cli import hook as command_line
from lamella_adapters.hooks import hook, run
from lamella_adapters.hooks.launch.command import hook_command

SCRIPT = Path(hook.__file__)


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


@pytest.mark.unmeasured
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

"""The MCP inspector, as a program that others script, against the server."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.clients.node_clients import more_installed
from tests.end_to_end.support.command_line import LAMELLA
from tests.waiting import HANG_SECONDS

pytestmark = pytest.mark.more_clients

Inspect = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def inspect(tmp_path: Path) -> Inspect:
    """Runs the inspector against a server of an empty home."""
    home, place = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    place.mkdir()

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        patience = ("--connect-timeout", str(round(1_000 * HANG_SECONDS)))
        command = ["mcp-inspector", "--cli", str(LAMELLA), "serve", "--format", "json", *patience, *arguments]
        return more_installed().run(*command, home=home, folder=place)

    return run


def call(tool: str, *arguments: str) -> list[str]:
    return ["--method", "tools/call", "--tool-name", tool, "--tool-arg", *arguments]


def result(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(done.stdout)
    return dict(printed["result"])


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_tools_are_portable(inspect: Inspect, era: str) -> None:
    done = inspect("--method", "tools/list", "--strict", "--protocol-era", era)
    assert (done.returncode, done.stderr) == (0, "")
    assert [tool["name"] for tool in result(done)["tools"]] == ["save_memory", "recall"]


def test_what_is_saved_is_recalled(inspect: Inspect) -> None:
    saved = inspect(*call("save_memory", "text=Nine tenths of a start are imports.", "source=decision"))
    assert (saved.returncode, saved.stderr) == (0, "")
    text = result(saved)["content"][0]["text"]
    assert text.endswith("\nTitle: Nine tenths of a start are imports.")
    id = text.partition("(id: ")[2].partition(")")[0]

    recalled = inspect(*call("recall", "query=imports", "limit=3"))
    assert (recalled.returncode, recalled.stderr) == (0, "")
    listed = result(recalled)
    assert set(listed) == {"content", "isError"}
    assert listed["content"][0]["text"].startswith(f"[1] {id[:8]} | Nine tenths of a start are imports. | ")

    read = inspect("--method", "resources/read", "--uri", f"memory://observation/{id}")
    assert "\nNine tenths of a start are imports.\n" in result(read)["contents"][0]["text"]


def test_an_error_is_an_error_to_scripts(inspect: Inspect) -> None:
    done = inspect(*call("recall", "query=nothing of the kind"))
    assert done.returncode == 5
    assert result(done) == {
        "content": [
            {
                "type": "text",
                "text": (
                    "No memories found matching 'nothing of the kind'. Try broader search terms or check the ID."
                ),
            }
        ],
        "isError": True,
    }
    assert json.loads(done.stderr)["error"]["code"] == "tool_is_error"

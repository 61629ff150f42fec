"""Memory that is switched off in a project: no hook captures or shows anything, and no tool keeps or shows it."""

import json
from itertools import cycle
from pathlib import Path
from stat import S_IMODE
from typing import Any

import pytest

from tests.end_to_end.git.git_repository import Repository
from tests.end_to_end.hooks.edits import EDIT
from tests.end_to_end.hooks.machine import RECORDED, Machine
from tests.end_to_end.hooks.test_hooks import EVENTS
from tests.end_to_end.support.command_line import LAMELLA, CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import Tools

OFF = "Memory is off in this project (since "


@pytest.fixture
def shop(tmp_path: Path) -> Repository:
    repository = Repository.made(tmp_path / "shop")
    repository.commit(**{"src/pay.py": "def paid(): ...\n"})
    return repository


def told(name: str, cwd: Path) -> bytes:
    payload: dict[str, Any] = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    return json.dumps({**payload, "cwd": str(cwd)}).encode() + b"\n"


def command(machine: Machine, directory: Path) -> CommandLine:
    return CommandLine(machine.data, directory)


def test_no_hook_leaves_a_trace_in_any_subfolder_or_worktree(machine: Machine, shop: Repository) -> None:
    folder, tree = shop.root / "src", machine.folder / "tree"
    shop.worktree(tree)
    assert command(machine, folder).run("project", "off").out == (
        "Memory is off in shop: from now on nothing is kept or shown.\n"
        "Stored memories stay. To switch it on: lamella project on\n"
    )
    assert S_IMODE((machine.data / "off").stat().st_mode) == 0o600
    before = {path.name for path in machine.data.iterdir()}
    for name, cwd in zip(EVENTS, cycle((shop.root, folder, tree)), strict=False):
        machine.tell(name, told(name, cwd))
    for cwd in (shop.root, folder, tree):
        machine.tell(EDIT, told(EDIT, cwd))
    assert {path.name for path in machine.data.iterdir()} == before
    machine.tell(EDIT, told(EDIT, machine.folder))
    assert len(machine.spooled()) == 1
    assert command(machine, tree).run("project", "on").out == "Memory is on in shop.\n"
    assert not (machine.data / "off").exists()
    machine.tell(EDIT, told(EDIT, shop.root))
    assert [each["directory"] for each in machine.spooled()] == [str(shop.root)]


def test_what_was_captured_before_is_stored(machine: Machine, shop: Repository) -> None:
    edit = json.loads(told(EDIT, shop.root))
    edit["tool_input"]["file_path"] = str(shop.root / "src/pay.py")
    machine.tell(EDIT, json.dumps(edit).encode() + b"\n")
    lamella = command(machine, shop.root)
    lamella.run("project", "off")
    assert machine.spooled() == []
    lamella.run("project", "on")
    assert "pay.py" in lamella.run("recall", "--detail", "full").out


@pytest.mark.parametrize("toolset", ["unified", "granular", "conversation", "semantic"])
def test_every_tool_says_memory_is_off_until_it_is_on(machine: Machine, shop: Repository, toolset: str) -> None:
    lamella = command(machine, shop.root)
    id = lamella.saved("The provider bills each attempt.")
    lamella.saved("Write plain words.", "--everywhere")
    with RawClient(Command([LAMELLA, "serve", "--toolset", toolset], shop.root, lamella.environment)) as client:
        tools = Tools(client)
        listed = tools.request("tools/list")["result"]["tools"]
        lamella.run("project", "off")
        for tool in listed:
            schema = tool["inputSchema"]
            given: dict[str, Any] = {
                name: id if name == "id" else _value(schema["properties"][name], id)
                for name in schema.get("required", [])
            }
            failed, said = tools.answered(tool["name"], **given)
            # One that lacks an embedder says so first.
            assert said[0].startswith((OFF, "Search by meaning is not available")), tool["name"]
            assert failed
        lamella.run("project", "on")
        assert "The provider bills" in lamella.run("recall", "provider").out


def _value(schema: dict[str, Any], id: str) -> object:
    kinds = schema.get("type", "string")
    examples: dict[str, object] = {"array": [id], "integer": 1, "number": 1, "boolean": False, "object": {}}
    return examples.get(kinds if isinstance(kinds, str) else kinds[0], "provider")

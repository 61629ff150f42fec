"""The real Claude Code, offline, with a model that follows a script."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment
from tests.end_to_end.clients.scripted_messages import Calls, Says, Seen
from tests.end_to_end.clients.story import PORT, SEARCHES, id_in
from tests.end_to_end.git.git_repository import Repository
from tests.waiting import until

SAVE, RECALL, SEARCH = (f"mcp__lamella__{each}" for each in ("save_memory", "recall", "search"))


@pytest.fixture
def desk(tmp_path: Path, node_clients: NodeClients) -> Desk:
    """A machine on which Claude Code was told of lamella as a user would tell it."""
    desk = Desk(tmp_path, node_clients)
    desk.adds_server()
    return desk


def saves(text: str) -> Calls:
    return Calls(SAVE, {"text": text})


def texts(listing: str) -> list[str]:
    """The titles of a compact listing, which are the whole texts here."""
    return [line.split(" | ")[1] for line in listing.partition("\n---\n")[0].splitlines()]


def test_claude_code_connects(desk: Desk) -> None:
    assert desk.claude(desk.home, "mcp", "list") == (
        f"Checking MCP server health…\n\nlamella: {desk.lamella} serve - ✔ Connected\n"
    )


@pytest.mark.more_clients
@pytest.mark.parametrize("toolsets", ["unified,granular", "granular"])
def test_a_model_that_searches_for_tools_has_or_finds_both(
    tmp_path: Path, node_clients: NodeClients, toolsets: str
) -> None:
    desk = Desk(tmp_path, node_clients)
    desk.adds_server("--toolset", toolsets)
    settings = desk.home / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(json.dumps({"env": {"ENABLE_TOOL_SEARCH": "true"}}), encoding="utf-8")
    searches = SEARCHES if toolsets == "granular" else ()
    asked = [Calls("ToolSearch", {"query": each}) for each in searches]
    session = desk.session(desk.repository("project"), *asked, Says("Done."), tools="ToolSearch")
    offered = set(session.seen[0].tools)
    both = set() if searches else {SAVE, RECALL}
    assert ("ToolSearch" in offered, {each for each in offered if "lamella" in each}) == (True, both)
    found = [{SAVE, SEARCH} <= {*reply.split()} for reply in session.replies]
    assert found == [True] * len(searches)


@pytest.mark.more_clients
def test_a_worktree_is_the_same_project_and_a_folder_of_the_same_name_is_not(desk: Desk) -> None:
    place, namesake = desk.repository("one/project"), desk.repository("another/project")
    worktree = desk.folder / "feature"
    Repository(place).worktree(worktree)
    desk.shell(place, "save", PORT)
    recalls = Calls(RECALL, {})
    assert texts(desk.session(worktree, recalls).replies[0]) == [PORT]
    assert desk.session(namesake, recalls).replies == [
        "No memories saved in this project yet. Use save_memory to add one."
    ]


@pytest.mark.more_clients
def test_no_process_of_lamella_outlives_its_session(desk: Desk) -> None:
    environment = bare_environment(desk.home)
    with subprocess.Popen([desk.lamella, "serve"], stdin=subprocess.PIPE, cwd=desk.home, env=environment):
        # A server that runs is seen.
        until(lambda: len(desk.processes()) == 1)
    until(lambda: not desk.processes())
    alive: list[list[str]] = []

    def looks(_: Seen) -> Says:
        alive.append([each for each in desk.processes() if "serve" in each])
        return Says("Saved.")

    session = desk.session(desk.repository("project"), saves(PORT), looks)
    assert id_in(session.replies[0])
    assert [len(each) for each in alive] == [1]
    assert desk.processes() == []

"""The real Claude Code, offline, with a model that follows a script."""

import re
import subprocess
from pathlib import Path

import pytest

from lamella_adapters.mcp.toolsets.registry import instructions
from tests.end_to_end.clients.desk import Desk, Session
from tests.end_to_end.clients.node_clients import NodeClients, bare_environment
from tests.end_to_end.clients.scripted_messages import Calls, Says, Seen
from tests.end_to_end.clients.story import PORT, id_in
from tests.unit.adapters.git.git_repository import Repository
from tests.waiting import until

COLOUR = "The banner is teal since the user asked for it."

SAVE, RECALL = "mcp__lamella__save_memory", "mcp__lamella__recall"


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


def test_what_one_session_saves_the_next_one_recalls_and_purges(desk: Desk) -> None:
    place = desk.repository("project")
    own = Calls(RECALL, {"session_only": True})
    first = desk.session(place, own, saves(PORT), own, Says("Saved."))
    assert first.outcome["result"] == "Saved."
    nothing, saved, listed = first.replies
    assert nothing == "No memories saved in this project yet. Use save_memory to add one."
    id = id_in(saved)
    assert saved == f"Memory saved (id: {id})\nTitle: {PORT}"
    assert texts(listed) == [PORT]

    second = desk.session(
        place,
        own,
        saves(COLOUR),
        own,
        Calls(RECALL, {}),
        Calls(RECALL, {"query": "proxy port"}),
        Calls(RECALL, {"id": id[:8], "detail": "full"}),
        Calls(RECALL, {"ids": [id], "action": "purge"}),
        Calls(RECALL, {"query": "proxy port"}),
        Says("8123."),
    )
    assert (second.outcome["result"], second.outcome["permission_denials"]) == ("8123.", [])
    nothing, saved, mine, both, listed, full, purged, gone = second.replies
    # Calls of the same id in two sessions are two memories, and each session knows its own.
    results = [session.seen[-1].results[1] for session in (first, second)]
    assert results[0]["tool_use_id"] == results[1]["tool_use_id"]
    assert id_in(saved) != id
    assert first.id != second.id
    assert (nothing, texts(mine), texts(both)) == ("No memories match these filters.", [COLOUR], [COLOUR, PORT])
    assert listed.startswith(f"[1] {id[:8]} | {PORT} | ")
    assert texts(listed) == [PORT]
    assert re.fullmatch(
        rf"--- {id[:8]} \| {re.escape(PORT)} \| \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ \| from claude-code"
        rf" ---\n{re.escape(PORT)}\n---\n1 result\(s\) \| ~\d+ tokens \| detail: full",
        full,
    )
    assert purged == "Purged 1/1 memories."
    assert gone == "No memories found matching 'proxy port'. Try broader search terms or check the ID."
    assert [each.get("is_error", False) for each in second.seen[-1].results] == [False] * 7 + [True]

    for session in (first, second):
        the_model_was_told_of_both_tools_from_the_start_and_saw_text_only(session)


def the_model_was_told_of_both_tools_from_the_start_and_saw_text_only(session: Session) -> None:
    before = session.seen[0]
    assert instructions("unified") in before.told
    ours = {name: tool for name, tool in before.tools.items() if "lamella" in name}
    assert {name: sorted(tool) for name, tool in ours.items()} == {
        SAVE: ["description", "input_schema", "name"],
        RECALL: ["description", "input_schema", "name"],
    }
    assert "structuredContent" not in str(session.seen[-1].request)


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

"""The real Claude Code, offline, with a model that follows a script."""

import re
import subprocess
from pathlib import Path

import pytest

from lamella_adapters.mcp.toolsets.registry import instructions
from tests.end_to_end.desk import Desk
from tests.end_to_end.node_clients import NodeClients
from tests.end_to_end.scripted_messages import Calls, Says
from tests.end_to_end.wire import until

SAVED = re.compile(r"Memory saved \(id: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\)\nTitle: (.*)")

PORT = "The server listens on 8123 because the proxy has 8080."
COLOUR = "The banner is teal since the user asked for it."

SAVE, RECALL = "mcp__lamella__save_memory", "mcp__lamella__recall"


@pytest.fixture
def desk(tmp_path: Path, node_clients: NodeClients) -> Desk:
    """A machine on which Claude Code was told of lamella as a user would tell it."""
    desk = Desk(tmp_path, node_clients)
    desk.claude(desk.home, "mcp", "add", "--scope", "user", "lamella", "--", desk.lamella, "serve")
    return desk


def saves(text: str) -> Calls:
    return Calls(SAVE, {"text": text})


def id_in(reply: str) -> str:
    """The id that the reply to a save gives."""
    match = SAVED.fullmatch(reply)
    assert match is not None, reply
    return match[1]


def texts(listing: str) -> list[str]:
    """The snippets of a compact listing, which are the whole texts here."""
    return [line.split(" | ")[3] for line in listing.partition("\n---\n")[0].splitlines()]


def test_claude_code_connects(desk: Desk) -> None:
    assert desk.claude(desk.home, "mcp", "list") == (
        f"Checking MCP server health…\n\nlamella: {desk.lamella} serve - ✔ Connected\n"
    )


def test_what_one_session_saves_the_next_one_recalls(desk: Desk) -> None:
    place = desk.repository("project")
    first = desk.session(place, saves(PORT), Says("Saved."))
    assert first.outcome["result"] == "Saved."
    (saved,) = first.replies
    assert saved == f"Memory saved (id: {id_in(saved)})\nTitle: {PORT}"

    short_id = id_in(saved)[:8]
    second = desk.session(
        place,
        Calls(RECALL, {"query": "proxy port"}),
        Calls(RECALL, {"id": short_id, "detail": "full"}),
        Says("8123."),
    )
    assert second.outcome["result"] == "8123."
    assert second.outcome["permission_denials"] == []
    listed, full = second.replies
    assert listed.startswith(f"[1] {short_id} | {PORT} | ")
    assert texts(listed) == [PORT]
    assert re.fullmatch(
        rf"--- {short_id} \| {re.escape(PORT)} \| \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ ---\n{re.escape(PORT)}\n"
        r"---\n1 result\(s\) \| ~\d+ tokens \| detail: full",
        full,
    )


def test_the_model_is_told_of_both_tools_from_the_start_and_sees_text_only(desk: Desk) -> None:
    place = desk.repository("project")
    session = desk.session(place, saves(PORT), Calls(RECALL, {}), Says("Done."))
    before = session.seen[0]
    assert instructions("unified") in before.told
    ours = {name: tool for name, tool in before.tools.items() if "lamella" in name}
    assert {name: sorted(tool) for name, tool in ours.items()} == {
        SAVE: ["description", "input_schema", "name"],
        RECALL: ["description", "input_schema", "name"],
    }
    results = session.seen[-1].results
    assert [result.get("is_error", False) for result in results] == [False, False]
    assert "structuredContent" not in str(session.seen[-1].request)
    assert texts(session.replies[1]) == [PORT]


def test_calls_of_the_same_id_in_two_sessions_are_two_memories(desk: Desk) -> None:
    place = desk.repository("project")
    first = desk.session(place, saves(PORT))
    second = desk.session(place, saves(COLOUR), Calls(RECALL, {}))
    assert first.seen[-1].results[0]["tool_use_id"] == second.seen[-1].results[0]["tool_use_id"]
    assert id_in(first.replies[0]) != id_in(second.replies[0])
    assert texts(second.replies[1]) == [COLOUR, PORT]


def test_a_session_can_ask_for_its_own_memories_only(desk: Desk) -> None:
    place = desk.repository("project")
    own = Calls(RECALL, {"session_only": True})
    first = desk.session(place, saves(PORT), own)
    second = desk.session(place, own, saves(COLOUR), own)
    assert first.id != second.id
    assert texts(first.replies[1]) == [PORT]
    assert second.replies[0] == "No memories match these filters."
    assert texts(second.replies[2]) == [COLOUR]


def test_a_worktree_is_the_same_project_and_a_folder_of_the_same_name_is_not(desk: Desk) -> None:
    place, namesake = desk.repository("one/project"), desk.repository("another/project")
    worktree = desk.folder / "feature"
    desk.git(place, "worktree", "add", "-q", str(worktree))
    desk.session(place, saves(PORT))
    recalls = Calls(RECALL, {})
    assert texts(desk.session(worktree, recalls).replies[0]) == [PORT]
    assert desk.session(namesake, recalls).replies == [
        "No memories saved in this project yet. Use save_memory to add one."
    ]


def test_a_later_session_can_purge_by_the_id_that_was_printed(desk: Desk) -> None:
    place = desk.repository("project")
    id = id_in(desk.session(place, saves(PORT)).replies[0])
    later = desk.session(
        place, Calls(RECALL, {"ids": [id], "action": "purge"}), Calls(RECALL, {"query": "proxy port"})
    )
    assert later.replies == [
        "Purged 1/1 memories.",
        "No memories found matching 'proxy port'. Try broader search terms or check the ID.",
    ]
    assert [result.get("is_error", False) for result in later.seen[-1].results] == [False, True]


def test_no_process_of_lamella_outlives_its_session(desk: Desk) -> None:
    with subprocess.Popen([desk.lamella, "serve"], stdin=subprocess.PIPE, cwd=desk.home):
        assert until(lambda: len(desk.processes()) == 1), "a server that runs is not seen"
    session = desk.session(desk.repository("project"), saves(PORT))
    assert id_in(session.replies[0])
    assert until(lambda: not desk.processes()), desk.processes()

"""The real Claude Code, offline, looks up what it was told in an earlier session."""

import re
from pathlib import Path

import pytest

from lamella_adapters.mcp.toolsets.registry import instructions
from tests.end_to_end.clients.desk import Desk
from tests.end_to_end.clients.node_clients import NodeClients
from tests.end_to_end.clients.scripted_messages import Calls, Says, Seen

RECALL, REMEMBER = "mcp__lamella__recall", "mcp__lamella__remember"

ASKED = "Why is the release built on the old machine? <private>Its password is swordfish.</private>"
ANSWERED = "The old machine has the signing key; the new one may not hold it."
WANTED = "What did we say about the release machine?"


@pytest.fixture
def desk(tmp_path: Path, node_clients: NodeClients) -> Desk:
    """A machine on which Claude Code was told of lamella's conversations."""
    desk = Desk(tmp_path, node_clients)
    desk.adds_server("--toolset", "conversation")
    return desk


def zooms(seen: Seen) -> Calls:
    """The model calls `remember` with the number of the best message that it has been shown."""
    found = re.search(r"^\[message (\d+), ", seen.replies[-1], re.MULTILINE)
    assert found is not None, seen.replies
    return Calls(REMEMBER, {"message_id": int(found[1])})


@pytest.mark.more_clients
def test_what_was_said_in_one_session_is_found_and_zoomed_into_in_the_next(desk: Desk) -> None:
    place = desk.repository("project")
    desk.session(place, Says(ANSWERED), prompt=ASKED)
    assert imported(desk, place) == "Imported 2 messages from 1 transcript."

    looks = Calls(RECALL, {"query": "signing key"})
    later = desk.session(
        place, Calls(RECALL, {"query": "zebra"}), looks, zooms, Says("It has the key."), prompt=WANTED
    )

    assert instructions("conversation") in later.seen[0].told
    assert later.outcome["result"] == "It has the key."
    assert later.outcome["permission_denials"] == []
    name = "Why is the release built on the old machine?"
    assert later.replies == [
        'No results found for "zebra".',
        f'Found 1 result(s) for "signing key":\n\n[message 2, session "{name}", assistant]\n    ...{ANSWERED}...',
        (
            f"── recalled from: {name} ──\n"
            "── FULL CONTEXT (messages 1..2) ──\n"
            "message 1 User: Why is the release built on the old machine? [private]\n"
            f"→ message 2 Assistant: {ANSWERED}"
        ),
    ]

    # What a session looked up is not taken for something that was said.
    assert imported(desk, place) == "Imported 2 messages from 2 transcripts."
    again = desk.session(place, looks)
    assert [line for line in again.replies[0].splitlines() if line.startswith("[message")] == [
        f'[message 2, session "{name}", assistant]',
        f'[message 4, session "{WANTED}", assistant]',
    ]


def imported(desk: Desk, place: Path) -> str:
    """Output of `lamella` about the import of conversations."""
    return desk.shell(place, "import", "claude-code").splitlines()[0]

"""Past conversations from the transcript of a client to the reply of a tool, in both eras of the protocol."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE, Tools
from tests.end_to_end.support.transcripts import with_transcripts
from tests.end_to_end.toolsets.eras import Call, Reply, refused, told
from tests.words_only import WORDS_ONLY

CONVERSATION = [*SERVE, "--toolset", "conversation"]

FOUND = """\
Found 3 result(s) for "upload retry":

[message 2, session "Fixing the upload", thought]
    ...The retry is in src/upload.py....
[message 1, session "Fixing the upload", human]
    ...Why does the upload retry give up? My token is [redacted], [private]....
[message 5, session "Fixing the upload", assistant]
    ...It stops after three attempts....\
"""
ZOOMED = """\
── recalled from: Fixing the upload ──
── FULL CONTEXT (messages 1..5) ──
message 1 User: Why does the upload retry give up? My token is [redacted], [private].
message 2 Think: The retry is in src/upload.py.
message 3 Tool: Read {"file_path":"src/upload.py"}
message 4 ToolResult: ATTEMPTS = 3
    ── FULL CONTEXT (messages 9..9) ──
→ message 5 Assistant: It stops after three attempts.\
"""


BLANK = refused("Query cannot be blank")
NO_INTEGER = "'message_id' must be an integer, not {}."

STORY: tuple[tuple[str, dict[str, Any], Reply], ...] = (
    ("recall", {"query": "zebra"}, told('No results found for "zebra".')),
    ("recall", {"query": "upload retry"}, told(FOUND)),
    ("recall", {"query": "upload", "session_only": True}, told('No results found for "upload".')),
    ("remember", {"message_id": 5}, told(ZOOMED)),
    ("remember", {"message_id": "5"}, told(ZOOMED)),
    ("remember", {"message_id": 1}, told(ZOOMED.replace("→ ", "").replace("message 1 U", "→ message 1 U"))),
    *(
        ("remember", {"message_id": number}, refused(f"Message {number} not found"))
        for number in (6, 99, "98", -1)
    ),
    *(("recall", {"query": blank}, BLANK) for blank in ("", " ", " \n", None)),
    ("recall", {}, BLANK),
    (
        "recall",
        {"query": "x", "limit": 3},
        refused("Unknown argument 'limit' (3). Allowed: query, session_only."),
    ),
    ("remember", {"message_id": "abc"}, refused(NO_INTEGER.format('"abc"'))),
    ("remember", {"message_id": 1.5}, refused(NO_INTEGER.format("1.5"))),
    ("remember", {}, refused("The argument 'message_id' is required and must not be blank.")),
)
"""Calls in the session "another", and their replies."""


@pytest.fixture(scope="module")
def lamella(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A project after an import, which nothing changes any more; see `with_transcripts`."""
    line = with_transcripts(tmp_path_factory.mktemp("imported"))
    assert line.run("import", "claude-code").code == 0
    return line


def test_the_story_of_conversation(live: Callable[..., None], lamella: CommandLine) -> None:
    async def story(call: Call) -> None:
        assert [await call(tool, **arguments) for tool, arguments, _ in STORY] == [reply for _, _, reply in STORY]

    settings = lamella.environment | {"LAMELLA_SESSION": "another"}
    live("conversation", story, folder=lamella.directory, **settings)


def test_only_this_session_is_the_one_of_the_client(lamella: CommandLine) -> None:
    """In the story, the client is of another session, and finds nothing."""
    environment = {**lamella.environment, "LAMELLA_SESSION": "session-one"}
    with RawClient(Command(CONVERSATION, lamella.directory, environment)) as client:
        assert Tools(client).call("recall", query="upload retry", session_only=True) == (False, FOUND)


def test_where_nothing_was_imported_nothing_is_found_and_nothing_made(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(tmp_path / "data"), **WORDS_ONLY}
    with RawClient(Command(CONVERSATION, tmp_path, environment)) as client:
        asked = Tools(client)
        assert asked.call("recall", query="zebra") == (False, 'No results found for "zebra".')
        assert asked.call("remember", message_id=1) == (True, "Message 1 not found")
    assert list(tmp_path.iterdir()) == []

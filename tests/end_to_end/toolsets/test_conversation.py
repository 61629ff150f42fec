"""Past conversations from the transcript of a client to the reply of a tool, in both eras of the protocol."""

import json
import sys
from collections.abc import Iterator
from itertools import count as numbers
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.end_to_end.support.command_line import CommandLine
from tests.end_to_end.support.forked import Command
from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.transcripts import with_transcripts

TOOLS = json.loads(Path(__file__).with_name("conversation_tools.json").read_text(encoding="utf-8"))
"""What `tools/list` gives, word for word."""

LAMELLA = Path(sys.executable).with_name("lamella")
SERVE: list[str | Path] = [LAMELLA, "serve", "--toolset", "conversation"]
tokens = ClassTokenizer().count

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


STORY: tuple[tuple[str, dict[str, Any], bool, str], ...] = (
    ("recall", {"query": "zebra"}, False, 'No results found for "zebra".'),
    ("recall", {"query": "upload retry"}, False, FOUND),
    ("recall", {"query": "upload", "session_only": True}, False, 'No results found for "upload".'),
    ("remember", {"message_id": 5}, False, ZOOMED),
    ("remember", {"message_id": "5"}, False, ZOOMED),
    ("remember", {"message_id": 1}, False, ZOOMED.replace("→ ", "").replace("message 1 U", "→ message 1 U")),
    ("remember", {"message_id": 6}, True, "Message 6 not found"),
    ("recall", {"query": " "}, True, "Query cannot be blank"),
    ("recall", {}, True, "Query cannot be blank"),
    (
        "recall",
        {"query": "x" * 501},
        True,
        "'query' must be a string of at most 500 characters, not 501 characters.",
    ),
    (
        "recall",
        {"query": "x", "limit": 3},
        True,
        "Unknown argument 'limit' (3). Allowed: query, session_only.",
    ),
    (
        "recall",
        {"query": "x", "session_only": "yes"},
        True,
        "'session_only' must be true or false, not \"yes\".",
    ),
    ("remember", {"message_id": "abc"}, True, "'message_id' must be an integer, not \"abc\"."),
    ("remember", {}, True, "The argument 'message_id' is required and must not be blank."),
)
"""Calls in the session "another", whether each fails, and its reply."""


@pytest.fixture(scope="module")
def lamella(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A project after an import, which nothing changes any more; see `with_transcripts`."""
    line = with_transcripts(tmp_path_factory.mktemp("imported"))
    assert line.run("import", "claude-code").code == 0
    return line


class Conversation:
    """The tools of a running server, as functions."""

    def __init__(self, client: RawClient) -> None:
        self.client = client
        self._ids = numbers(1)

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether the call failed, and its text."""
        result = self.client.call(next(self._ids), tool, **arguments)["result"]
        (block,) = result["content"]
        assert "structuredContent" not in result
        assert tokens(block["text"]) <= 4_000
        return result.get("isError", False), block["text"]


@pytest.fixture(scope="module")
def tools(lamella: CommandLine) -> Iterator[Conversation]:
    """A server of the session that was imported, of which only questions are asked."""
    environment = {**lamella.environment, "LAMELLA_SESSION": "session-one"}
    with RawClient(Command(SERVE, lamella.directory, environment)) as client:
        yield Conversation(client)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_are_exactly_these_in_both_eras(lamella: CommandLine, mode: Literal["legacy", "auto"]) -> None:
    server = StdioServerParameters(
        command=str(LAMELLA),
        args=["serve", "--toolset", "conversation"],
        env=lamella.environment | {"LAMELLA_SESSION": "another"},
        cwd=lamella.directory,
    )

    async def said(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
        result = await client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert result.structured_content is None
        return bool(result.is_error), content.text

    async def session() -> tuple[str, Any, list[tuple[bool, str]]]:
        async with Client(server, mode=mode) as client:
            listed = await client.list_tools()
            replies = [await said(client, tool, **arguments) for tool, arguments, _, _ in STORY]
            tools = listed.model_dump(mode="json", by_alias=True, exclude_none=True)["tools"]
            return str(client.protocol_version), tools, replies

    version, tools, replies = anyio.run(session)
    assert version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]
    assert tools == TOOLS
    assert replies == [(failed, reply) for _, _, failed, reply in STORY]


def test_words_of_nobody_are_no_error(tools: Conversation) -> None:
    assert tools.call("recall", query="zebra") == (False, 'No results found for "zebra".')


def test_only_this_session_is_the_one_of_the_client(tools: Conversation) -> None:
    """In the story, the client is of another session, and finds nothing."""
    assert tools.call("recall", query="upload retry", session_only=True) == (False, FOUND)


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("recall", {"query": ""}, "Query cannot be blank"),
        ("recall", {"query": " \n"}, "Query cannot be blank"),
        ("recall", {"query": None}, "Query cannot be blank"),
        ("recall", {}, "Query cannot be blank"),
        (
            "recall",
            {"query": "x" * 501},
            "'query' must be a string of at most 500 characters, not 501 characters.",
        ),
        ("recall", {"query": "x", "session_only": "yes"}, "'session_only' must be true or false, not \"yes\"."),
        (
            "recall",
            {"query": "x", "limit": 3},
            "Unknown argument 'limit' (3). Allowed: query, session_only.",
        ),
        ("remember", {"message_id": 99}, "Message 99 not found"),
        ("remember", {"message_id": "98"}, "Message 98 not found"),
        ("remember", {"message_id": -1}, "Message -1 not found"),
        ("remember", {"message_id": "abc"}, "'message_id' must be an integer, not \"abc\"."),
        ("remember", {"message_id": 1.5}, "'message_id' must be an integer, not 1.5."),
        ("remember", {}, "The argument 'message_id' is required and must not be blank."),
    ],
)
def test_what_makes_no_sense_is_refused(
    tools: Conversation, tool: str, arguments: dict[str, Any], error: str
) -> None:
    assert tools.call(tool, **arguments) == (True, error)


def test_where_nothing_was_imported_nothing_is_found_and_nothing_made(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "LAMELLA_DATA_DIR": str(tmp_path / "data")}
    with RawClient(Command(SERVE, tmp_path, environment)) as client:
        asked = Conversation(client)
        assert asked.call("recall", query="zebra") == (False, 'No results found for "zebra".')
        assert asked.call("remember", message_id=1) == (True, "Message 1 not found")
    assert list(tmp_path.iterdir()) == []


def test_a_second_toolset_says_whose_recall_it_is(lamella: CommandLine) -> None:
    serve = [*SERVE, "--toolset", "unified,conversation"]
    with RawClient(Command(serve, lamella.directory, lamella.environment)) as client:
        both = Conversation(client)
        assert both.call("conversation_recall", query="upload retry") == (False, FOUND)
        assert both.call("remember", message_id=5) == (False, ZOOMED)

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

from lamella_adapters.tokenizers.classes import ClassTokenizer

from .command_line import CommandLine
from .wire import RawClient

TOOLS = json.loads(Path(__file__).with_name("conversation_tools.json").read_text(encoding="utf-8"))
"""What `tools/list` gives, word for word."""

LAMELLA = Path(sys.executable).with_name("lamella")
SERVE: tuple[str | Path, ...] = (LAMELLA, "serve", "--toolset", "conversation")
SECRET = "ghp_" + "a1B2" * 9
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


def record(kind: str, number: int, content: object, *, session: str, folder: Path) -> dict[str, Any]:
    """One line of a transcript."""
    return {
        "type": kind,
        "uuid": f"{session}-{number}",
        "sessionId": session,
        "timestamp": f"2026-07-08T09:10:{number % 60:02}.000Z",
        "cwd": str(folder),
        "message": {"role": kind, "content": content},
    }


def conversation(session: str, folder: Path) -> list[dict[str, Any]]:
    """How the upload was fixed."""
    call = {"type": "tool_use", "id": "call-1", "name": "Read", "input": {"file_path": "src/upload.py"}}
    given = "ATTEMPTS = 3\n── FULL CONTEXT (messages 9..9) ──"
    asked = f"Why does the upload retry give up? My token is {SECRET}, <private>don't tell</private>."
    parts: list[tuple[str, object]] = [
        ("user", asked),
        ("assistant", [{"type": "thinking", "thinking": "The retry is in src/upload.py."}]),
        ("assistant", [call]),
        ("user", [{"type": "tool_result", "tool_use_id": "call-1", "content": given}]),
        ("assistant", [{"type": "text", "text": "It stops after three attempts."}]),
    ]
    records = [record(kind, n, said, session=session, folder=folder) for n, (kind, said) in enumerate(parts)]
    return [*records, {"type": "custom-title", "customTitle": "Fixing the upload", "sessionId": session}]


def write(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


@pytest.fixture
def lamella(tmp_path: Path) -> CommandLine:
    """The command line in a project with one transcript, where Claude Code keeps them."""
    project = tmp_path / "project"
    project.mkdir()
    line = CommandLine(tmp_path / "data", project)
    home = Path(line.environment["HOME"])
    write(home / ".claude/projects/-project/one.jsonl", conversation("session-one", project))
    write(home / ".claude/projects/-other/two.jsonl", conversation("session-two", tmp_path / "other"))
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


@pytest.fixture
def tools(lamella: CommandLine) -> Iterator[Conversation]:
    """A server that offers both toolsets, after an import."""
    assert lamella.run("import", "claude-code").code == 0
    environment = {**lamella.environment, "LAMELLA_SESSION": "session-one"}
    with RawClient(SERVE, env=environment, cwd=lamella.directory) as client:
        yield Conversation(client)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_are_exactly_these_in_both_eras(lamella: CommandLine, mode: Literal["legacy", "auto"]) -> None:
    assert lamella.run("import", "claude-code").code == 0
    server = StdioServerParameters(
        command=str(LAMELLA),
        args=["serve", "--toolset", "conversation"],
        env=lamella.environment,
        cwd=lamella.directory,
    )

    async def said(client: Client, tool: str, **arguments: Any) -> str:
        result = await client.call_tool(tool, arguments)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert (result.is_error, result.structured_content) == (False, None)
        return content.text

    async def session() -> tuple[str, Any, list[str]]:
        async with Client(server, mode=mode) as client:
            listed = await client.list_tools()
            replies = [
                await said(client, "recall", query="upload retry"),
                await said(client, "remember", message_id=5),
            ]
            tools = listed.model_dump(mode="json", by_alias=True, exclude_none=True)["tools"]
            return str(client.protocol_version), tools, replies

    version, tools, replies = anyio.run(session)
    assert version == {"legacy": "2025-11-25", "auto": "2026-07-28"}[mode]
    assert tools == TOOLS
    assert replies == [FOUND, ZOOMED]


def test_words_of_nobody_are_no_error(tools: Conversation) -> None:
    assert tools.call("recall", query="zebra") == (False, 'No results found for "zebra".')


def test_only_this_session_is_the_one_of_the_client(lamella: CommandLine, tools: Conversation) -> None:
    assert tools.call("recall", query="upload retry", session_only=True) == (False, FOUND)
    environment = {**lamella.environment, "LAMELLA_SESSION": "another"}
    with RawClient(SERVE, env=environment, cwd=lamella.directory) as client:
        asked = Conversation(client)
        assert asked.call("recall", query="upload", session_only=True) == (
            False,
            'No results found for "upload".',
        )


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
    with RawClient(SERVE, env=environment, cwd=tmp_path) as client:
        asked = Conversation(client)
        assert asked.call("recall", query="zebra") == (False, 'No results found for "zebra".')
        assert asked.call("remember", message_id=1) == (True, "Message 1 not found")
    assert list(tmp_path.iterdir()) == []


def test_a_second_toolset_says_whose_recall_it_is(lamella: CommandLine) -> None:
    assert lamella.run("import", "claude-code").code == 0
    with RawClient(
        [*SERVE, "--toolset", "unified,conversation"], env=lamella.environment, cwd=lamella.directory
    ) as client:
        both = Conversation(client)
        assert both.call("conversation_recall", query="upload retry") == (False, FOUND)
        assert both.call("remember", message_id=5) == (False, ZOOMED)


def test_an_import_takes_over_this_project_once(lamella: CommandLine) -> None:
    first = lamella.run("import", "claude-code", "--dry-run")
    assert (first.code, first.out.split("\n")[0]) == (0, "Would import 5 message(s) from 1 transcript(s).")
    assert not lamella.data.exists()
    done = lamella.run("import", "claude-code")
    assert done.out.split("\n")[:2] == [
        "Imported 5 message(s) from 1 transcript(s).",
        "Redacted: 1 secret(s).",
    ]
    assert lamella.run("import", "claude-code").out == "Imported 0 message(s) from 1 transcript(s).\n"
    held = b"".join(path.read_bytes() for path in lamella.data.rglob("*") if path.is_file())
    assert (SECRET.encode() in held, b"don't tell" in held, b"three attempts" in held) == (False, False, True)


def test_what_was_said_since_is_imported_from_where_it_was(lamella: CommandLine) -> None:
    lamella.run("import", "claude-code")
    path = Path(lamella.environment["HOME"]) / ".claude/projects/-project/one.jsonl"
    said = record("user", 9, "And then?", session="session-one", folder=lamella.directory)
    whole = json.dumps(said)
    with path.open("a", encoding="utf-8") as transcript:
        transcript.write(whole[:40])
    assert lamella.run("import", "claude-code").out == (
        "Imported 0 message(s) from 1 transcript(s).\nStill being written: 1. Import again for the rest.\n"
    )
    with path.open("a", encoding="utf-8") as transcript:
        transcript.write(whole[40:] + "\n")
    assert lamella.run("import", "claude-code").out == "Imported 1 message(s) from 1 transcript(s).\n"


def test_a_transcript_from_elsewhere_is_imported_by_its_path(lamella: CommandLine) -> None:
    path = Path(lamella.environment["HOME"]) / ".claude/projects/-other/two.jsonl"
    assert lamella.run("import", "claude-code", str(path)).out.startswith("Imported 5 message(s) from 1 ")
    folder = lamella.run("import", "claude-code", str(path.parents[1]))
    # What was read already gives nothing new.
    assert folder.out.startswith("Imported 5 message(s) from 2 transcript(s).")


def test_where_there_are_no_transcripts_it_says_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    line = CommandLine(tmp_path / "data", folder)
    done = line.run("import", "claude-code", str(folder))
    assert done.out == (
        "No transcripts found. Give the file or folder they are in, or run this where they were recorded.\n"
    )
    missing = line.run("import", "claude-code", str(tmp_path / "nowhere"))
    assert (missing.code, "nowhere" in missing.err) == (2, True)


def test_on_a_terminal_the_outcome_stays_on_the_screen(lamella: CommandLine) -> None:
    done = lamella.on_terminal("import", "claude-code")
    assert done.code == 0
    assert "Imported 5 message(s) from 1 transcript(s)." in done.out

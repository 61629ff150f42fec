"""What the SDK's client gets from `lamella serve`, in both eras of the protocol."""

import json
import re
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import pytest
from anyio.from_thread import start_blocking_portal
from attrs import frozen
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import TextContent, TextResourceContents

from lamella_adapters.mcp.toolsets.registry import instructions
from lamella_adapters.tokenizers.character_classes import ClassTokenizer
from tests.end_to_end.clients.node_clients import bare_environment
from tests.end_to_end.support.memory import PATIENT

TOOLS = json.loads(Path(__file__).with_name("unified_tools.json").read_text(encoding="utf-8"))
"""What `tools/list` gives, word for word: the model and its user rely on every one."""

TITLE = "Why the port is 8123"
TEXT = "The server listens on 8123.\nThe proxy has 8080."
ONE_LINE = "The server listens on 8123. The proxy has 8080."

NO_MATCH = "No memories found matching 'proxy'. Try broader search terms or check the ID."

Connected = Callable[[Callable[[Client], Awaitable[Any]]], Any]
"""Makes something of a client."""


@frozen
class Era:
    """How a client speaks, and the version of the protocol that comes of it."""

    mode: Literal["legacy", "auto"]
    version: str


@pytest.fixture(
    scope="module", params=[Era("legacy", "2025-11-25"), Era("auto", "2026-07-28")], ids=lambda era: era.version
)
def connected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connected]:
    """A client in each era of the protocol; its server is in a git repository.

    The only file there has one line more than was committed.
    """
    era: Era = request.param
    folder = tmp_path_factory.mktemp(era.mode)
    home, place = folder / "home", folder / "project"
    home.mkdir()
    place.mkdir()
    environment = bare_environment(home)
    main = place / "main.c"
    main.write_text("#define PORT 8080\n", encoding="utf-8")
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        who = ["-c", "user.name=A User", "-c", "user.email=user@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=place, env=environment, check=True)
    main.write_text("#define PORT 8080\n#define LISTENS 8123\n", encoding="utf-8")
    server = StdioServerParameters(command=PATIENT[0], args=PATIENT[1:], env=environment, cwd=place)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=era.mode)) as client,
    ):
        assert client.protocol_version == era.version
        yield lambda story: portal.call(story, client)


async def said(client: Client, tool: str, *, fails: bool = False, **arguments: Any) -> str:
    """The text of a reply, which is all that there is to a reply."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert (result.is_error, result.structured_content) == (fails, None), content.text
    assert (content.annotations, content.meta) == (None, None)
    return content.text


async def save(client: Client, **arguments: Any) -> tuple[str, str]:
    """The id of a new memory, and the reply without it."""
    reply = await said(client, "save_memory", **arguments)
    found = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", reply)
    assert found is not None, reply
    return found[0], reply.replace(found[0], "ID")


def footed(reply: str, rest: str) -> str:
    """The footer that a reply must end with, given what follows the number of its tokens."""
    return f"---\n1 result(s) | ~{ClassTokenizer().count(reply)} tokens | {rest}"


def test_the_tools_are_exactly_these(connected: Connected) -> None:
    async def tools(client: Client) -> Any:
        listed = await client.list_tools()
        return listed.model_dump(mode="json", by_alias=True, exclude_none=True)

    listed = connected(tools)
    assert listed["tools"] == TOOLS
    assert ClassTokenizer().count(json.dumps(listed)) <= 1_200


def test_the_server_introduces_itself(connected: Connected) -> None:
    async def introduction(client: Client) -> Any:
        assert client.server_info is not None
        info = client.server_info.model_dump(exclude_none=True)
        offers = client.server_capabilities.model_dump(exclude_none=True)
        return info, sorted(offers), client.instructions

    assert connected(introduction) == (
        {"name": "lamella", "title": "lamella", "version": version("lamella")},
        ["prompts", "resources", "tools"],
        instructions("unified"),
    )


def test_the_life_of_a_memory(connected: Connected) -> None:
    async def life(client: Client) -> None:
        id, saved = await save(client, text=TEXT, title=TITLE, source="decision", paths=["main.c"])
        assert saved == f"Memory saved (id: ID)\nTitle: {TITLE}"
        again, saved = await save(client, text=TEXT, title=TITLE, source="decision", paths=["main.c"])
        assert (again, saved) == (id, f"Memory saved (id: ID) (already saved)\nTitle: {TITLE}")

        compact = await said(client, "recall", query="proxy")
        short_id, score, day = compact[4:12], compact.split(" | ")[2], compact.partition("\n")[0][-10:]
        assert id.startswith(short_id)
        assert re.fullmatch(r"\d+\.\d\d", score)
        assert compact == (
            f"[1] {short_id} | {TITLE} | {score} | {ONE_LINE} | {day}\n"
            + footed(compact, "detail: compact | keyword only: no embedder")
        )

        full = await said(client, "recall", id=short_id, detail="full")
        time = full.partition("\n")[0].removesuffix("Z ---")[-8:]
        assert full == (
            f"--- {short_id} | {TITLE} | {day}T{time}Z ---\n{TEXT}\nmain.c +1 -0\n" + footed(full, "detail: full")
        )

        timeline = await said(client, "recall", query="proxy", detail="timeline")
        assert timeline == (
            f"{day}\n{time[:5]} | {TITLE} | decision | {ONE_LINE} | {short_id}\n"
            + footed(timeline, "detail: timeline | keyword only: no embedder")
        )

        assert await said(client, "recall", action="purge", ids=[short_id]) == "Purged 1/1 memories."
        assert await said(client, "recall", query="proxy", fails=True) == NO_MATCH
        assert await said(client, "recall", action="restore", id=short_id) == "Restored 1/1 memories."
        assert await said(client, "recall", query="proxy") == compact

    connected(life)


def test_a_memory_is_a_resource(connected: Connected) -> None:
    async def read(client: Client, uri: str) -> str:
        (contents,) = (await client.read_resource(uri)).contents
        assert isinstance(contents, TextResourceContents)
        assert (str(contents.uri), contents.mime_type) == (uri, "text/plain")
        return contents.text

    async def resources(client: Client) -> None:
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.model_dump(mode="json", by_alias=True, exclude_none=True) == {
            "name": "observation",
            "title": "Memory",
            "uriTemplate": "memory://observation/{id}",
            "description": "One memory in full, by its id.",
            "mimeType": "text/plain",
        }
        assert (await client.list_resources()).resources == []
        id, _ = await save(client, text="A memory is a resource.")
        full = await said(client, "recall", id=id, detail="full")
        assert await read(client, f"memory://observation/{id}") == full
        assert await read(client, f"memory://observation/{id[:8]}") == full
        for uri, why in (
            (
                "memory://observation/ffffffff",
                "No memories found matching 'ffffffff'. Try broader search terms or check the ID.",
            ),
            (
                "memory://observation/",
                "There is no resource 'memory://observation/'. Memories are at memory://observation/{id}.",
            ),
            ("file:///a", "There is no resource 'file:///a'. Memories are at memory://observation/{id}."),
        ):
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert refused.value.error.message == why

    connected(resources)

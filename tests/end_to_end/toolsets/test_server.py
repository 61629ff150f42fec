"""The server as the SDK's client meets it in memory, in both eras of the protocol."""

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any, Literal

import anyio
import mcp_types as types
import pytest
from attrs import evolve, frozen
from mcp import Client, MCPError
from mcp.shared.message import SessionMessage

from lamella.application.memories.save import SaveRequest
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.settings import Settings
from lamella_adapters.mcp.http.offer import offered
from lamella_adapters.mcp.server import worker_threads
from lamella_adapters.mcp.server.handlers import make_server
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from tests.end_to_end.git.git_repository import Repository
from tests.waiting import HANG_SECONDS

Mode = Literal["legacy", "auto"]


@frozen
class Place:
    """A project and its memories."""

    lamella: Lamella
    call: Call

    def save(self, text: str, **more: Any) -> str:
        """Save a memory and return its id."""
        return str(self.lamella.save(self.call, SaveRequest(text=text, **more)).observation.id)

    def told(
        self, mode: Mode, story: Callable[[Client], Awaitable[None]], tools: dict[str, Tool] | None = None
    ) -> None:
        """Run a session file with a server of `granular`, or of other tools."""
        server = make_server(tools or chosen("granular"), "", lambda *_: (self.lamella, self.call))

        async def lived() -> None:
            async with Client(server, mode=mode) as client:
                await story(client)

        anyio.run(lived)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    repository = Repository.made(tmp_path / "work")
    repository.write("src/pay.py", "")
    with running(Settings(data_directory=tmp_path, storage="memory:", embedder="none")) as lamella:
        yield Place(lamella, Call(directory=repository.root))


@pytest.fixture(params=["legacy", "auto"])
def mode(request: pytest.FixtureRequest) -> Mode:
    era: Mode = request.param
    return era


async def refused(asked: Awaitable[object]) -> str:
    """Return the message of a protocol error."""
    with pytest.raises(MCPError) as refusal:
        await asked
    assert refusal.value.error.code == types.INVALID_PARAMS
    return refusal.value.error.message


def test_an_unknown_tool_is_an_error_of_the_protocol(place: Place, mode: Mode) -> None:
    async def story(client: Client) -> None:
        assert await refused(client.call_tool("remember", {})) == (
            "There is no tool called 'remember'. Tools: save_memory, search, get_observations, timeline, forget."
        )

    place.told(mode, story)


def test_programs_get_data_that_say_what_the_text_says(place: Place, mode: Mode) -> None:
    async def story(client: Client) -> None:
        async def data(tool: str, **arguments: Any) -> tuple[Any, list[str]]:
            # The client checks the data against the schema of the tool.
            result = await client.call_tool(tool, arguments)
            assert not result.is_error
            return result.structured_content, [
                block.text for block in result.content if isinstance(block, types.TextContent)
            ]

        first = place.save("Logs are kept for 7 days.")
        saved, (text,) = await data("save_memory", text="Logs are kept for 9 days.", keywords="retention")
        assert saved == {"id": saved["id"], "corrects": first, "message": text}
        found, (text,) = await data("search", query="logs", limit=1)
        assert (found, len(found["results"])) == (json.loads(text), 1)
        nothing, (text,) = await data("search", query="zebra")
        assert (nothing["results"], nothing["totalCount"]) == ([], 0)
        assert text == "No observations found matching 'zebra'."
        read, texts = await data("get_observations", ids=[saved["id"], "x"])
        assert read == {"observations": json.loads(texts[0]), "not_found": ["x"], "omitted": []}
        assert read["observations"][0]["keywords"] == "retention"
        assert (await data("get_observations", ids=["x"]))[0] == {
            "observations": [],
            "not_found": ["x"],
            "omitted": [],
        }
        hidden, _ = await data("get_observations", ids=[place.save("Ship\u202e it.")])
        assert hidden["observations"][0]["text"] == "Ship\\u{202E} it."
        await data("forget", id=hidden["observations"][0]["id"])
        line, (text,) = await data("timeline")
        assert (line, len(line["items"])) == (json.loads(text), 2)
        for expected in ("Memory forgotten", "Observation"):
            forgotten, (text,) = await data("forget", id=first)
            assert (forgotten, text.startswith(expected)) == ({"id": first, "message": text}, True)

    place.told(mode, story)


def test_results_link_memories_of_the_project_for_people(place: Place, mode: Mode) -> None:
    async def story(client: Client) -> None:
        for tool, arguments in (
            ("save_memory", {"text": "We ship on Fridays."}),
            ("search", {"query": "ship"}),
            ("timeline", {}),
        ):
            linked = (await client.call_tool(tool, arguments)).content[-1]
            assert isinstance(linked, types.ResourceLink)
            assert linked.annotations is not None
            assert (linked.name, linked.annotations.audience) == ("We ship on Fridays.", ["user"])
            (read,) = (await client.read_resource(linked.uri)).contents
            assert isinstance(read, types.TextResourceContents)
            assert "\nWe ship on Fridays.\n" in read.text
        of_project = await client.call_tool("search", {"query": "ship", "projectId": "work"})
        assert [block.type for block in of_project.content] == ["text"]

    async def unnamed(client: Client) -> None:
        saved = await client.call_tool("save_memory", {"text": "Elsewhere.", "project": "shop"})
        assert [block.type for block in saved.content] == ["text"]

    place.told(mode, story)
    place.told(mode, unnamed, offered("granular", writes=True, named=False))


def test_clients_that_do_not_know_links_get_none(place: Place) -> None:
    server = make_server(chosen("granular"), "", lambda *_: (place.lamella, place.call))
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    asked = [("initialize", hello), ("tools/call", {"name": "save_memory", "arguments": {"text": "Old."}})]
    assert [block["type"] for block in anyio.run(answered, server, asked)["content"]] == ["text"]


async def answered(server: Any, asked: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """Send requests one after the other, and return the last result."""
    send, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](1)
    outgoing, receive = anyio.create_memory_object_stream[SessionMessage](1)
    async with send, receive, anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, incoming, outgoing, server.create_initialization_options())
        for method, params in asked:
            request = types.JSONRPCRequest(jsonrpc="2.0", id=1, method=method, params=params)
            await send.send(SessionMessage(request))
            reply = (await receive.receive()).message
        tasks.cancel_scope.cancel()
    assert isinstance(reply, types.JSONRPCResponse)
    return reply.result


def test_memories_are_listed_and_read_by_id_title_tag_and_file(place: Place, mode: Mode) -> None:
    id = place.save("Payments are retried once. #pay-out", title="Retry of payments", paths=["src/pay.py"])
    place.save("Staging is reset every night.")

    async def story(client: Client) -> None:
        listed = (await client.list_resources()).resources
        assert [each.name for each in listed] == ["Staging is reset every night.", "Retry of payments"]
        assert (listed[1].uri, listed[1].mime_type) == (f"memory://observation/{id}", "text/plain")
        templates = (await client.list_resource_templates()).resource_templates
        values = {"id": id, "title": "of%20PAYMENTS", "tag": "pay-out", "+path": "src/pay.py"}
        for template in templates:
            head, _, variable = template.uri_template.removesuffix("}").partition("{")
            (read,) = (await client.read_resource(head + values.pop(variable))).contents
            assert isinstance(read, types.TextResourceContents)
            assert ("Retry of payments" in read.text, "Staging" in read.text) == (True, False)
        assert not values
        known = ", ".join(each.uri_template for each in templates)
        for uri in ("memory://observation/", "memory://author/ada", "file:///a"):
            expected = f"There is no resource '{uri}'. Memories are at {known}."
            assert await refused(client.read_resource(uri)) == expected

    place.told(mode, story)


def test_arguments_of_prompts_and_templates_are_completed(place: Place, mode: Mode) -> None:
    place.save("Payments are retried once. #pay-out", title="Retry of payments", paths=["src/pay.py"])
    for number in range(101):
        place.save(f"Note {number}")
    prompt, tag = types.PromptReference(name="recall"), types.ResourceTemplateReference(uri="memory://tag/{tag}")

    async def story(client: Client) -> None:
        async def values(ref: Any, name: str, begun: str) -> list[str]:
            found = (await client.complete(ref, {"name": name, "value": begun})).completion
            assert found.has_more is (len(found.values) == 100)
            return found.values

        assert client.server_capabilities.completions is not None
        assert await values(prompt, "query", "retry") == ["Retry of payments"]
        assert await values(prompt, "query", "#p") == ["#pay-out"]
        assert await values(prompt, "path", "pay") == ["src/pay.py"]
        assert await values(tag, "tag", "p") == ["pay-out"]
        assert len(await values(prompt, "query", "note")) == 100
        for ref, name, expected in (
            (prompt, "limit", "There is no argument 'limit' to complete. Arguments: query, path."),
            (
                types.ResourceTemplateReference(uri="x://{y}"),
                "y",
                "There is no argument 'y' to complete. Arguments: none.",
            ),
            (types.PromptReference(name="poem"), "x", "There is no prompt 'poem'. Prompts: recall."),
        ):
            assert await refused(client.complete(ref, {"name": name, "value": ""})) == expected
        (said,) = (await client.get_prompt("recall", {"query": "retried", "path": "src"})).messages
        assert isinstance(said.content, types.TextContent)
        assert "Retry of payments" in said.content.text

    place.told(mode, story)


def test_a_long_call_reports_progress(place: Place, mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_threads, "PROGRESS_SECONDS", 0.01)
    heard, reports = Event(), list[float]()

    def waits(_: ToolCall) -> str:
        return f"heard: {heard.wait(HANG_SECONDS)}"

    async def told(progress: float, total: float | None, message: str | None) -> None:
        assert (total, message) == (None, None)
        reports.append(progress)
        if len(reports) > 1:
            heard.set()

    async def story(client: Client) -> None:
        # In memory, the client of the present era leaves the token out.
        token: Any = {"progress_token": 1} if mode == "auto" else None
        result = await client.call_tool("search", {"query": "x"}, progress_callback=told, meta=token)
        (said,) = result.content
        assert isinstance(said, types.TextContent)
        assert said.text == "heard: True"
        assert reports == sorted(reports)

    slow = evolve(chosen("granular")["search"], answer=waits, returns=None)
    place.told(mode, story, {"search": slow})

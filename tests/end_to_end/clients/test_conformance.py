"""The official conformance suite, over HTTP, which is the only transport that it speaks.

lamella serves stdio; the HTTP here is the SDK's, and what is tested behind it is lamella's server.
"""

import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from attrs import frozen

from lamella.container import running
from lamella.domain.call import Call
from lamella.domain.errors import LamellaError
from lamella.settings import Settings
from lamella_adapters.mcp.server.handlers import make_server
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from tests.end_to_end.clients.node_clients import NodeClients
from tests.waiting import until

APPLICABLE = [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
]

NO_MEDIA = "it needs a tool that answers with more than text, and lamella's answer in text only"
NO_ASKING_BACK = "it needs a tool that asks the client something, and lamella's never do"
NO_PROMPTS = "it asks for fixture prompts"
NO_SUBSCRIPTIONS = "lamella's resources can't be subscribed to"
FIXTURE_RESOURCE = "it reads a resource of its own; lamella's are memories"

INAPPLICABLE = {
    "logging-set-level": "lamella logs to stderr, not to the client",
    "completion-complete": "lamella completes no arguments",
    "tools-call-image": NO_MEDIA,
    "tools-call-audio": NO_MEDIA,
    "tools-call-embedded-resource": NO_MEDIA,
    "tools-call-mixed-content": NO_MEDIA,
    "tools-call-with-logging": "it needs a tool that logs to the client",
    "tools-call-with-progress": "it needs a tool that reports progress, and lamella's are done at once",
    "tools-call-sampling": NO_ASKING_BACK,
    "tools-call-elicitation": NO_ASKING_BACK,
    "elicitation-sep1034-defaults": NO_ASKING_BACK,
    "elicitation-sep1330-enums": NO_ASKING_BACK,
    "json-schema-2020-12": "it needs a tool whose schema has definitions, and lamella's are flat",
    "server-sse-polling": "it needs a tool that ends its own HTTP stream, and lamella serves stdio",
    "resources-read-text": FIXTURE_RESOURCE,
    "resources-read-binary": FIXTURE_RESOURCE,
    "resources-templates-read": FIXTURE_RESOURCE,
    "resources-subscribe": NO_SUBSCRIPTIONS,
    "resources-unsubscribe": NO_SUBSCRIPTIONS,
    "prompts-get-simple": NO_PROMPTS,
    "prompts-get-with-args": NO_PROMPTS,
    "prompts-get-embedded-resource": NO_PROMPTS,
    "prompts-get-with-image": NO_PROMPTS,
}
"""Scenarios that a server of memories can't pass, and why."""


@frozen
class NoArguments:
    """The fixture tools take none."""


def fails(_: ToolCall) -> str:
    raise FixtureError("This tool intentionally returns an error for testing")


class FixtureError(LamellaError):
    """Error of the suite's failing tool."""


def fixture_tools() -> dict[str, Tool]:
    """The two tools that the suite brings to any server and that lamella's kind of tool can be."""
    answers = {
        "test_simple_text": lambda _: "This is a simple text response for testing.",
        "test_error_handling": fails,
    }
    return {
        name: Tool(
            name=name,
            title=name,
            description="For the conformance suite.",
            arguments=NoArguments,
            answer=answer,
            read_only=True,
        )
        for name, answer in answers.items()
    }


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the default toolset and two tools of the suite over HTTP. Yields the address."""
    folder = tmp_path_factory.mktemp("conformance")
    with running(Settings(data_directory=folder / "data")) as lamella:

        def context(request: str | None) -> Call:
            return Call(directory=folder, request=request)

        server = make_server({**chosen("unified"), **fixture_tools()}, "Test.", lambda: lamella, context)
        config = uvicorn.Config(server.streamable_http_app(), host="127.0.0.1", port=0, log_level="error")
        http = uvicorn.Server(config)
        thread = threading.Thread(target=http.run)
        thread.start()
        until(lambda: http.started or not thread.is_alive())
        yield f"http://127.0.0.1:{http.servers[0].sockets[0].getsockname()[1]}/mcp"
        http.should_exit = True
        thread.join()


def conformance(clients: NodeClients, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return clients.run("conformance", *arguments, home=folder, folder=folder)


@pytest.mark.parametrize("scenario", APPLICABLE)
def test_the_server_conforms(node_clients: NodeClients, url: str, tmp_path: Path, scenario: str) -> None:
    done = conformance(node_clients, tmp_path, "server", "--url", url, "--scenario", scenario)
    assert done.returncode == 0, done.stdout
    assert ", 0 failed, 0 warnings\n" in done.stdout


def test_every_scenario_is_run_or_known_not_to_apply(node_clients: NodeClients, tmp_path: Path) -> None:
    listed = conformance(node_clients, tmp_path, "list", "--server").stdout
    scenarios = [line.split()[1] for line in listed.splitlines() if line.startswith("  - ")]
    assert sorted(scenarios) == sorted([*APPLICABLE, *INAPPLICABLE])

"""The server that the conformance suite asks: ours over HTTP, with the fixtures that the suite brings along.

Usage: python -m tests.end_to_end.clients.conformance_server FOLDER
"""

import sys
from functools import partial
from pathlib import Path
from threading import Semaphore
from types import ModuleType
from typing import Any

import mcp_types as types
from attrs import frozen
from mcp.server.session import ServerSession

from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import running
from lamella.domain.access.grant import Grant, Scope
from lamella.domain.call import Call
from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import ByTitle
from lamella.domain.replies.views import Detail
from lamella.settings import Settings
from lamella_adapters.cli.output import echo
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.access.authenticator import Authenticator, Challenges
from lamella_adapters.mcp.http.options import HttpOptions
from lamella_adapters.mcp.http.request_context import about
from lamella_adapters.mcp.http.serve import serve
from lamella_adapters.mcp.server import offers, worker_threads
from lamella_adapters.mcp.toolsets import registry
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from lamella_adapters.process import start
from tests.waiting import HANG_SECONDS

NAME = "conformance"
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"type": "object", "properties": {"city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
PROMPTS = {
    "test_simple_prompt": "This is a simple prompt for testing.",
    "test_prompt_with_arguments": "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
}
MEMORIES = {"test://static-": "The content of the static text resource.", "test://template/": "Data for ID: 123"}
"""Memories by the beginnings of the addresses at which the suite reads."""


@frozen
class NoArguments:
    """Empty arguments of the fixture tools."""


class FixtureError(LamellaError):
    """Error raised by the suite's failing tool."""


class Schemed(Tool):
    """A tool with the suite's schema."""

    @property
    def schema(self) -> dict[str, Any]:
        return SCHEMA


_reported = Semaphore(0)
_report_progress = ServerSession.report_progress


async def _counted(session: ServerSession, progress: float) -> None:
    await _report_progress(session, progress)
    _reported.release()


def fails(_: ToolCall) -> str:
    raise FixtureError("This tool intentionally returns an error for testing")


def takes_long(_: ToolCall) -> str:
    """Run until three progress notifications were sent."""
    return f"Reported: {all(_reported.acquire(timeout=HANG_SECONDS) for _ in range(3))}"


class Fixture(ModuleType):
    """A toolset with those of the suite's tools that lamella can implement."""

    INSTRUCTIONS = "Test."
    TOOLS = tuple(
        Schemed(
            name=name,
            title=name,
            description="For the conformance suite.",
            arguments=NoArguments,
            answer=answer,
            read_only=True,
        )
        for name, answer in {
            "test_simple_text": lambda _: "This is a simple text response for testing.",
            "test_error_handling": fails,
            "test_tool_with_progress": takes_long,
            "json_schema_2020_12_tool": lambda _: "Preserved.",
        }.items()
    )


def filled(text: str, call: ToolCall) -> str:
    return text.format_map(call.arguments)


def reading(memory: str, _: str) -> RecallRequest:
    return RecallRequest(selector=ByTitle(memory), detail=Detail.FULL)


class InOneProject(Authenticator):
    """Assigns every caller to one project, because the suite sends no header."""

    def grant(self, authorization: str | None) -> Grant:
        del authorization
        return Grant(tenant="default", scopes=frozenset(Scope), project=NAME, name="suite")


def bring_fixtures(settings: Settings) -> None:
    """Add the suite's tools, prompts and resources to the server."""
    start.TOOLSETS = (*start.TOOLSETS, NAME)
    sys.modules[f"{registry.__package__}.{NAME}"] = Fixture(NAME)
    worker_threads.PROGRESS_SECONDS = 0.05
    ServerSession.report_progress = _counted  # type: ignore[method-assign,assignment]
    for name, text in PROMPTS.items():
        arguments = [types.PromptArgument(name=each) for each in ("arg1", "arg2") if each in text]
        offers.PROMPTS[name] = types.Prompt(name=name, description=name, arguments=arguments)
        offers.TEXTS[name] = partial(filled, text)
    with running(settings) as lamella:
        call = about(Call(directory=Path("/"), distant=True), NAME)
        for address, memory in MEMORIES.items():
            lamella.save(call, SaveRequest(text=memory))
            offers.READ[address] = partial(reading, memory)


if __name__ == "__main__":
    settings = Settings(data_directory=Path(sys.argv[1]), embedder="none")
    bring_fixtures(settings)
    serve(
        settings,
        HttpOptions(port=0, toolset=f"unified,{NAME}"),
        lambda _: Access(InOneProject(), Challenges(), ()),
        announce=lambda url, _: echo(url),
    )

"""The server that the conformance suite asks: ours over HTTP, with the tools that the suite brings to any server.

Usage: python -m tests.end_to_end.clients.conformance_server FOLDER
"""

import sys
from pathlib import Path
from types import ModuleType

from attrs import frozen

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.errors import LamellaError
from lamella.settings import Settings
from lamella_adapters.cli.output import echo
from lamella_adapters.mcp.http.access.access import Access
from lamella_adapters.mcp.http.access.authenticator import Authenticator
from lamella_adapters.mcp.http.access.challenges import Challenges
from lamella_adapters.mcp.http.options import HttpOptions
from lamella_adapters.mcp.http.serve import serve
from lamella_adapters.mcp.toolsets import registry
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from lamella_adapters.process import start


@frozen
class NoArguments:
    """The fixture tools take none."""


class FixtureError(LamellaError):
    """Error of the suite's failing tool."""


def fails(_: ToolCall) -> str:
    raise FixtureError("This tool intentionally returns an error for testing")


class Fixture(ModuleType):
    """The two tools of the suite that lamella's kind of tool can be, as a toolset."""

    INSTRUCTIONS = "Test."
    TOOLS = tuple(
        Tool(
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
        }.items()
    )


class InOneProject(Authenticator):
    """Knows the project of everybody: the suite sends no header."""

    def grant(self, authorization: str | None) -> Grant:
        del authorization
        return Grant(tenant="default", scopes=frozenset(Scope), project="conformance", name="suite")


if __name__ == "__main__":
    name = "conformance"
    start.TOOLSETS = (*start.TOOLSETS, name)
    sys.modules[f"{registry.__package__}.{name}"] = Fixture(name)
    serve(
        Settings(data_directory=Path(sys.argv[1]), embedder="none"),
        HttpOptions(port=0, toolset=f"unified,{name}"),
        lambda _: Access(InOneProject(), Challenges(), ()),
        announce=lambda url, _: echo(url),
    )

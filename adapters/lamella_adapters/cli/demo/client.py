"""The demo's end of the connection: a real MCP client that times and checks every reply."""

import json
import time
from collections.abc import Callable
from typing import Any

from attrs import define, frozen
from mcp.client import Client
from mcp_types import TextContent

from lamella.domain.errors import LamellaError
from lamella.domain.replies.budget import PAGE_TOKENS
from lamella_adapters.cli.demo.screen import Screen

_ECHO_CHARACTERS = 60


@frozen
class StepFailedError(LamellaError):
    """Something did not go as the demo says it goes."""

    reason: str

    def __str__(self) -> str:
        return f"The demo failed: {self.reason}"


@frozen
class Reply:
    """Answer of a tool."""

    text: str
    error: bool
    tokens: int
    milliseconds: float


@define
class Caller:
    """Caller of a server's tools, who shows what is answered.

    Attributes:
        client: The connection.
        count: Counts the tokens of a text.
        screen: The display.
    """

    client: Client
    count: Callable[[str], int]
    screen: Screen

    async def call(self, tool: str, *, budget: int = PAGE_TOKENS, show: bool = True, **arguments: Any) -> Reply:
        """Call a tool, and return its reply.

        Args:
            tool: The tool's name.
            budget: Most tokens that the reply may have.
            show: Show the call and the reply.
            arguments: The tool's arguments.

        Raises:
            StepFailedError: The reply has more tokens.
        """
        began = time.perf_counter()
        result = await self.client.call_tool(tool, arguments)
        milliseconds = (time.perf_counter() - began) * 1000
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        tokens = self.count(text)
        request = f"{tool} {json.dumps(_brief(arguments), ensure_ascii=False)}"
        require(tokens <= budget, f"{request} was answered with {tokens} tokens, and {budget} are allowed.")
        error = bool(result.is_error)
        if show:
            self.screen.exchange(request, text, f"{tokens} tokens, {milliseconds:.1f} ms", error=error)
        return Reply(text, error, tokens, milliseconds)


def require(holds: bool, otherwise: str) -> None:
    """Go on only if `holds`.

    Raises:
        StepFailedError: It does not; `otherwise` says what went wrong.
    """
    if not holds:
        raise StepFailedError(otherwise)


def _brief(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments to be shown: a long text by its beginning."""
    return {
        name: f"{value[:_ECHO_CHARACTERS]}..."
        if isinstance(value, str) and len(value) > _ECHO_CHARACTERS
        else value
        for name, value in arguments.items()
    }

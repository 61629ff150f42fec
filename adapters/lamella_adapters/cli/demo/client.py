"""The demo's end of the connection: a real MCP client that times and checks every reply."""

import json
import time
from collections.abc import Callable
from typing import Any

from attrs import define, frozen
from mcp.client import Client
from mcp_types import TextContent

from lamella.domain.errors import LamellaError

_ECHO_CHARACTERS = 60


@frozen
class StepFailedError(LamellaError):
    """Something did not go as the demo says it goes."""

    reason: str

    def __str__(self) -> str:
        return f"The demo failed: {self.reason}"


@frozen
class Reply:
    """The answer of a tool. `request` is the call as it can be shown."""

    request: str
    text: str
    error: bool
    tokens: int
    milliseconds: float

    @property
    def note(self) -> str:
        """Return its size and duration."""
        return f"{self.tokens} tokens, {self.milliseconds:.1f} ms"


@define
class Caller:
    """Calls tools of a server. `count` counts tokens."""

    client: Client
    count: Callable[[str], int]

    async def call(self, tool: str, *, budget: int, **arguments: Any) -> Reply:
        """One call; `budget` is how many tokens its reply may have.

        Raises:
            StepFailedError: it has more.
        """
        began = time.perf_counter()
        result = await self.client.call_tool(tool, arguments)
        milliseconds = (time.perf_counter() - began) * 1000
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        tokens = self.count(text)
        request = f"{tool} {json.dumps(_brief(arguments), ensure_ascii=False)}"
        require(tokens <= budget, f"{request} was answered with {tokens} tokens, and {budget} are allowed.")
        return Reply(request, text, bool(result.is_error), tokens, milliseconds)


def require(holds: bool, otherwise: str) -> None:
    """Goes on only if `holds`.

    Raises:
        StepFailedError: it does not; `otherwise` says what went wrong.
    """
    if not holds:
        raise StepFailedError(otherwise)


def _brief(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments to be shown: a long text by its beginning."""
    return {
        name: f"{value[:_ECHO_CHARACTERS]}..."
        if isinstance(value, str) and len(value) > _ECHO_CHARACTERS
        else value
        for name, value in arguments.items()
    }

"""The SDK's client in both eras of the protocol."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from attrs import frozen
from mcp import Client
from mcp_types import TextContent

from tests.end_to_end.support.sessions import Session, sessions
from tests.end_to_end.toolsets.caller import Caller


@frozen
class Call:
    """Calls a tool by its name with arguments."""

    client: Client

    async def __call__(self, tool: str, **arguments: Any) -> tuple[bool, list[str]]:
        """Return whether the call failed, and the text of each block, beside which only data are linked."""
        result = await self.client.call_tool(tool, arguments)
        texts = []
        for block in result.content:
            if isinstance(block, TextContent):
                assert (block.annotations, block.meta) == (None, None)
                texts.append(block.text)
            else:
                assert (block.type, result.structured_content is None) == ("resource_link", False)
        return bool(result.is_error), texts

    def answered(self, tool: str, **arguments: Any) -> tuple[bool, list[str]]:
        """Return the same in another thread than that of the client."""
        return anyio.from_thread.run(partial(self, tool, **arguments))


Story = Callable[[Call], Awaitable[object]]


def story_of(name: str) -> Session:
    """Return the story of a file."""
    (story,) = sessions(Path(__file__).parent / "sessions" / "stories" / f"{name}.txt")
    return story


async def told(name: str, call: Call) -> Caller:
    """Live the story of a file. Return the caller, who knows the ids of it."""
    caller = Caller(call.answered)
    await anyio.to_thread.run_sync(caller.play, story_of(name))
    return caller

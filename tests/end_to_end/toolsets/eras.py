"""The SDK's client in both eras of the protocol."""

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import frozen
from mcp import Client
from mcp_types import TextContent


@frozen
class Reply:
    """Result of a call: the text of each block, and nothing else."""

    blocks: tuple[str, ...]
    failed: bool = False


@frozen
class Call:
    """Calls a tool by its name with arguments.

    Attributes:
        client: The SDK's client.
        files: True if the server reads the files of the project.
    """

    client: Client
    files: bool = True

    async def __call__(self, tool: str, **arguments: Any) -> Reply:
        """Return what came of the call."""
        result = await self.client.call_tool(tool, arguments)
        assert result.structured_content is None
        texts = []
        for block in result.content:
            assert isinstance(block, TextContent)
            assert (block.annotations, block.meta) == (None, None)
            texts.append(block.text)
        return Reply(tuple(texts), bool(result.is_error))


Story = Callable[[Call], Awaitable[None]]


def told(*blocks: str) -> Reply:
    """Return a reply that is no error."""
    return Reply(blocks)


def refused(error: str) -> Reply:
    """Return a reply that is one."""
    return Reply((error,), failed=True)

"""Baseline for speed: an MCP server with one tool that does nothing, written as in the SDK's documentation."""

import asyncio

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_Context = ServerRequestContext[dict[str, object]]
_SCHEMA = {"type": "object", "properties": {"text": {"type": "string", "description": "Anything."}}}


async def _list(_: _Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[types.Tool(name="empty", description="Does nothing.", input_schema=_SCHEMA)]
    )


async def _call(_: _Context, __: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text="done")])


async def main() -> None:
    """Serve until stdin ends."""
    server = Server("bare", version="1", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


asyncio.run(main())

"""A server with nothing of lamella's but its transport, for the tests to mistreat.

Usage: echo_server.py [FILE [hang]]; FILE gets the line "clean" when the clean-up runs, which then may hang.
"""

import logging
import sys
import threading
import time
from pathlib import Path
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)

from lamella_adapters.mcp.server.worker_threads import run_guarded
from lamella_adapters.mcp.transport.stdio import serve_stdio

COUNTING = threading.Lock()
sleeping = [0]
"""How many calls slept, after each that went to sleep or woke up."""


def echo(text: str = "") -> str:
    return text


def sleep(seconds: float) -> str:
    with COUNTING:
        sleeping.append(sleeping[-1] + 1)
    time.sleep(seconds)
    with COUNTING:
        sleeping.append(sleeping[-1] - 1)
    return "slept"


def most_sleepers() -> str:
    return str(max(sleeping))


def fail(how: str) -> str:
    if how == "exit":
        sys.exit(3)
    if how == "interrupt":
        raise KeyboardInterrupt
    raise RuntimeError(how)


def surrogates() -> str:
    return "before \ud800 after"


def shout(text: str) -> str:
    print(text)  # noqa: T201 - the stray print that must not reach the protocol
    sys.stdout.flush()
    return "shouted"


def repeat(text: str, times: int) -> str:
    return text * times


TOOLS = {tool.__name__: tool for tool in (echo, sleep, most_sleepers, fail, surrogates, shout, repeat)}


async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(
        tools=[Tool(name=name, description=name, input_schema={"type": "object"}) for name in TOOLS]
    )


async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
    def call() -> CallToolResult:
        text = TOOLS[params.name](**(params.arguments or {}))
        return CallToolResult(content=[TextContent(type="text", text=text)])

    return await run_guarded(call)


def clean_up() -> None:
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text("clean\n", encoding="utf-8")
    if sys.argv[2:] == ["hang"]:
        time.sleep(600)


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stderr)
    serve_stdio(
        Server("echo", version="1", on_list_tools=list_tools, on_call_tool=call_tool), on_shutdown=clean_up
    )

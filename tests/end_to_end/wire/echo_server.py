"""A server with nothing of lamella's but its transport, for the tests to mistreat."""

import argparse
import logging
import sys
import threading
import time
from collections import defaultdict
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
from lamella_adapters.mcp.transport import connection, stdio
from lamella_adapters.mcp.transport.stdio import serve_stdio

COUNTING = threading.Lock()
AT_ONCE: dict[str, list[int]] = defaultdict(lambda: [0])
"""The number of waiting calls in a folder, after each beginning and end."""


def echo(text: str = "") -> str:
    return text


def wait(folder: str) -> str:
    """Wait until there is a file `go` in `folder`. There is a file for each call that has begun to."""
    with COUNTING:
        AT_ONCE[folder].append(AT_ONCE[folder][-1] + 1)
        Path(folder, f"begun-{len(AT_ONCE[folder])}").touch()
    while not Path(folder, "go").exists():
        time.sleep(0.02)
    with COUNTING:
        AT_ONCE[folder].append(AT_ONCE[folder][-1] - 1)
    return "waited"


def most_at_once(folder: str) -> str:
    return str(max(AT_ONCE[folder]))


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


TOOLS = {tool.__name__: tool for tool in (echo, wait, most_at_once, fail, surrogates, shout, repeat)}


async def list_tools(_: ServerRequestContext[Any], __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(
        tools=[Tool(name=name, description=name, input_schema={"type": "object"}) for name in TOOLS]
    )


async def call_tool(_: ServerRequestContext[Any], params: CallToolRequestParams) -> CallToolResult:
    def call() -> CallToolResult:
        text = TOOLS[params.name](**(params.arguments or {}))
        return CallToolResult(content=[TextContent(type="text", text=text)])

    return await run_guarded(call)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drain", type=float, default=connection.DRAIN_SECONDS)
    parser.add_argument("--last-resort", type=float, default=stdio.LAST_RESORT_SECONDS)
    parser.add_argument("--cleaned", type=Path, help="gets the line `clean` when the clean-up runs")
    parser.add_argument("--hang", action="store_true", help="hang in the clean-up")
    options = parser.parse_args()
    connection.DRAIN_SECONDS, stdio.LAST_RESORT_SECONDS = options.drain, options.last_resort

    def clean_up() -> None:
        if options.cleaned:
            options.cleaned.write_text("clean\n", encoding="utf-8")
        if options.hang:
            threading.Event().wait()

    logging.basicConfig(stream=sys.stderr)
    serve_stdio(
        Server("echo", version="1", on_list_tools=list_tools, on_call_tool=call_tool), on_shutdown=clean_up
    )


if __name__ == "__main__":
    main()

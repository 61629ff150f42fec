"""`lamella serve`: what an MCP client starts.

How its arguments are parsed stands in `commands`: the usual start, without any, doesn't wait for a parser.
"""

# The driver comes first: it arranges for the imports after it to be cheap.
# isort: off
from lamella_adapters.mcp import serve

import os
from contextlib import suppress
from typing import NoReturn

from lamella_adapters.claude_code.hooks.interpreter_link import link
from lamella_adapters.cli.runtime import present_directory
from lamella_adapters.settings import caller_from, settings_from, toolset_from
# isort: on


def start(toolset: str | None = None) -> NoReturn:
    """Serves MCP on stdin and stdout with the tools of `toolset`, by default those of `LAMELLA_TOOLSET`.

    Raises:
        InvalidValueError: there is no such toolset.
    """
    if folder := os.environ.get("CLAUDE_PLUGIN_DATA"):
        # Claude Code's plugin started this: now its hooks know by which Python.
        with suppress(OSError):
            link(folder)
    directory = present_directory()
    serve(
        settings_from(os.environ),
        lambda: caller_from(os.environ, directory),
        toolset=toolset or toolset_from(os.environ),
    )

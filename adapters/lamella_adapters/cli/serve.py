"""`lamella serve`: what an MCP client starts.

How its arguments are parsed stands in `commands`: the usual start, without any, doesn't wait for a parser.
"""

# The driver comes first: it arranges for the imports after it to be cheap.
# isort: off
from lamella_adapters.mcp import serve

import os
from typing import NoReturn

from lamella_adapters.claude_code.hooks.interpreter_link import link_for_plugin
from lamella_adapters.cli.runtime import present_directory
from lamella_adapters.settings import caller_from, settings_from, toolset_from
# isort: on


def start(toolset: str | None = None) -> NoReturn:
    """Serve MCP on stdin and stdout with the tools of `toolset`, by default those of `LAMELLA_TOOLSET`.

    Raises:
        InvalidValueError: There is no such toolset.
    """
    link_for_plugin()
    directory = present_directory()
    serve(
        settings_from(os.environ),
        lambda: caller_from(os.environ, directory),
        toolset=toolset or toolset_from(os.environ),
    )

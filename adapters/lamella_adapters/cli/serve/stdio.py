"""`lamella serve`, as started by an MCP client.

The module `commands` parses the command's arguments. Usually there are no arguments, so this module has no parser.
"""

# ruff: noqa: PLC0415, PTH118 - the client waits for first answers, so other imports come later

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from lamella_adapters.hooks.options import data_directory
from lamella_adapters.mcp.early import replies
from lamella_adapters.mcp.early.front import Front, Recorded, claim_descriptors
from lamella_adapters.process.start import all_projects, toolset_from

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = "early-replies.json"


def start(toolset: str | None = None) -> NoReturn:
    """Serve MCP on stdin and stdout with the tools of `toolset`, by default of `LAMELLA_TOOLSET`.

    Raises:
        InvalidValueError: A toolset doesn't exist.
    """
    named = toolset or toolset_from(os.environ)
    # If tools may read all projects, the list of tools differs. So store its recorded reply under a separate name.
    front, keep_replies = _answering(f"{named} of all projects" if all_projects(os.environ) else named)
    # Import `mcp.serve` first: it imports most of the program with the garbage collector off, which is faster.
    # isort: off
    from lamella_adapters.mcp.serve import serve

    from lamella_adapters.hooks.launch.interpreter_link import link_for_plugin
    from lamella_adapters.cli.runtime import present_directory
    from lamella_adapters.process.settings import caller_from, settings_from
    # isort: on

    link_for_plugin()
    directory = present_directory()
    serve(
        settings_from(os.environ),
        lambda: caller_from(os.environ, directory),
        toolset=named,
        front=front,
        keep_replies=keep_replies,
    )


def _answering(toolset: str) -> "tuple[Front | None, Callable[[dict[str, str]], None] | None]":
    """Return the thread that answers the client from recorded replies, and a function that stores replies.

    The thread is None if it can't be started. The function is None if replies are recorded already.
    """
    recorded, path = replies.shipped(toolset), None
    if recorded is None:
        with suppress(OSError, KeyError):
            path = os.path.join(data_directory(), _KEPT)
            recorded = replies.kept(path, toolset)
    keep = (lambda found: _keep(path, toolset, found)) if path and recorded is None else None
    with suppress(OSError):
        return Front(*claim_descriptors(), Recorded(recorded or {})), keep
    return None, keep


def _keep(path: str, toolset: str, found: dict[str, str]) -> None:
    """Store replies in the data directory, if the directory exists."""
    from lamella_adapters.hooks.session_records import replace

    if os.path.isdir(os.path.dirname(path)):  # noqa: PTH112, PTH120 - importing pathlib takes longer
        replace(path, replies.as_kept(toolset, found).encode())

"""Names of the server's tools, for use in the texts of hooks. Hooks import this module, so it imports little.

A hook has the same environment variables as the session's server, including `LAMELLA_TOOLSET`. If the model has no
tool for reading memories, hooks name the shell command instead.
"""

# ruff: noqa: PTH118 - importing pathlib would take longer than the rest of a hook

import os
import sys
from typing import NamedTuple

from lamella_adapters.process.start import named_toolsets, toolset_from

_PROGRAM = "lamella"
_FROM_PACKAGES = ("..", "..", "..", "bin")
"""Relative path from the packages of an environment to its programs."""

_CHARACTERS = 200
"""Maximum length of a path to print."""

_EXAMPLE = "..."


class ServerTools(NamedTuple):
    """The model's calls for reading memories.

    Attributes:
        one: Call to show one memory in full. `{id}` stands for the memory's id.
        search: Call to find other memories.
        history: Call to show the history of a file; empty without such a tool.
        full_ids: True if ids have to be full UUIDs.
    """

    one: str
    search: str
    history: str = ""
    full_ids: bool = False

    @property
    def advice(self) -> str:
        """Return sentences on how to read more."""
        of_a_file = f", or {self.history} for the history of a file" if self.history else ""
        return f"One in full: {self.shows(_EXAMPLE)}. Others: {self.search}{of_a_file}."

    def shows(self, id: str) -> str:
        """Return the call to show the memory with this id in full."""
        return self.one.replace("{id}", id)

    def id(self, key: str, short: str) -> str:
        """Return the id of a memory in the form accepted by the tools.

        Args:
            key: The 32 hexadecimal digits of the memory's id.
            short: Short id of the memory.
        """
        return "-".join((key[:8], key[8:12], key[12:16], key[16:20], key[20:])) if self.full_ids else short


def server_tools() -> ServerTools:
    """Return the calls for reading memories with the configured toolsets."""
    toolsets = named_toolsets(toolset_from(os.environ))

    def named(toolset: str, tool: str) -> str:
        # Only the first toolset's search tool keeps its own name.
        return tool if toolset == toolsets[0] else f"{toolset}_{tool}"

    if "unified" in toolsets:
        recall = named("unified", "recall")
        return ServerTools(f'{recall}(id="{{id}}", detail="full")', f"{recall}(query=...)", f"{recall}(path=...)")
    if "granular" in toolsets:
        search = f"{named('granular', 'search')}(query=...)"
        return ServerTools('get_observations(ids=["{id}"])', search, full_ids=True)
    command = f"{program()} recall"
    by_meaning = f"{named('semantic', 'search_memories')}(query=...)"
    search = by_meaning if "semantic" in toolsets else f"`{command} WORDS`"
    return ServerTools(f"`{command} --id {{id}} --detail full`", search)


def program() -> str:
    """Return the name of lamella's program. If it is not on PATH, return its path beside the packages."""
    known = [os.path.join(each, _PROGRAM) for each in os.environ.get("PATH", "").split(os.pathsep)]
    if any(map(_runs, known)):
        return _PROGRAM
    beside = [os.path.normpath(os.path.join(each, *_FROM_PACKAGES, _PROGRAM)) for each in sys.path]
    return next((each for each in beside if plain_path(each) and _runs(each)), _PROGRAM)


def plain_path(path: str) -> bool:
    """Return True if a path is short and needs no quoting in a shell."""
    return len(path) <= _CHARACTERS and all(each.isalnum() or each in "/._-+" for each in path)


def _runs(file: str) -> bool:
    return os.access(file, os.X_OK)

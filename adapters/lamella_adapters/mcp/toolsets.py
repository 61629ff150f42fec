"""Which tools a server offers: one or several toolsets."""

from collections.abc import Mapping, Sequence

from attrs import evolve

from lamella.domain.errors import InvalidValueError
from lamella_adapters.mcp import unified
from lamella_adapters.mcp.tool import Tool

TOOLSETS: Mapping[str, Sequence[Tool]] = {"unified": unified.TOOLS}
"""Every toolset by its name."""


_ALL = "all"


def chosen(names: str) -> dict[str, Tool]:
    """The tools of the toolsets `names` (`a,b`, or `all`), by the names under which they are registered.

    The first toolset named keeps the name of a tool that several have; a later one's is `{toolset}_{name}`.

    Raises:
        InvalidValueError: there is no such toolset.
    """
    toolsets = list(TOOLSETS) if names.strip() == _ALL else [name.strip() for name in names.split(",")]
    tools: dict[str, Tool] = {}
    for toolset in dict.fromkeys(toolsets):
        if toolset not in TOOLSETS:
            known = ", ".join([*TOOLSETS, _ALL])
            raise InvalidValueError(name="A toolset", given=repr(toolset), allowed=f"one of {known}")
        for tool in TOOLSETS[toolset]:
            name = f"{toolset}_{tool.name}" if tool.name in tools else tool.name
            tools[name] = evolve(tool, name=name)
    return tools

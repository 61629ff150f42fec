"""Which tools a server offers: one or several toolsets."""

from collections.abc import Mapping, Sequence

from lamella.domain.errors import InvalidValueError
from lamella_adapters.mcp import unified
from lamella_adapters.mcp.tool import Tool

TOOLSETS: Mapping[str, Sequence[Tool]] = {"unified": unified.TOOLS}
"""Every toolset by its name."""


def chosen(names: str) -> dict[str, Tool]:
    """The tools of the toolset `names`, by name.

    Raises:
        InvalidValueError: there is no such toolset.
    """
    if names not in TOOLSETS:
        raise InvalidValueError(
            name="The toolset", given=repr(names), allowed="one of " + ", ".join(sorted(TOOLSETS))
        )
    return {tool.name: tool for tool in TOOLSETS[names]}

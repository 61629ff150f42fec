"""Port of the MCP tools of a team's server. A local MCP server offers these tools to its client.

An opener is registered in the group `lamella.remote_tools`, under the scheme of the storage's URL, as a callable.
It takes the URL, and the data directory with the access token.
"""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol

from lamella.domain.call import Call


class RemoteTools(Protocol):
    """MCP tools of another server."""

    @abstractmethod
    def call(self, call: Call, toolset: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call a tool. Return its result as MCP's `CallToolResult` in JSON.

        Args:
            call: Context of the call. `default_project` is the id of the call's project.
            toolset: Comma-separated names of toolsets. One of them contains the tool.
            name: Name of the tool.
            arguments: Arguments of the tool.

        Raises:
            LamellaError: The server can't be reached, or refuses the call.
        """

"""The tools and instructions that a caller gets, by what they may do and whether the project is known."""

from attrs import NOTHING, evolve

from lamella.domain.replies.budget import Reply
from lamella.domain.text.printing import visible
from lamella_adapters.mcp.http.request_context import about
from lamella_adapters.mcp.toolsets.arguments import argument, reshaped
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall

_PROJECT = "project"
_MAX_CHARACTERS = 200


def offered(toolset: str, *, writes: bool, named: bool) -> dict[str, Tool]:
    """Return the tools of a caller.

    Args:
        toolset: Names of the toolsets.
        writes: True if the caller may change something.
        named: True if token or header name the project; else each call has to, in an argument of its own.

    Raises:
        InvalidValueError: There is no such toolset.
    """
    tools = chosen(toolset, reading=not writes)
    return tools if named else {name: _naming_project(tool) for name, tool in tools.items()}


def _naming_project(tool: Tool) -> Tool:
    """Return a tool with an argument that names the project of the call."""
    named = argument("Name of the project, such as that of its repository.", default=NOTHING, most=_MAX_CHARACTERS)

    def answer(call: ToolCall) -> str | Reply:
        context = about(call.context, visible(call.arguments.project))
        reply = tool.answer(evolve(call, context=context))
        # Resources are read without arguments: a link leads nowhere.
        return evolve(reply, linked=()) if isinstance(reply, Reply) else reply

    return evolve(tool, arguments=reshaped(tool.arguments, more={_PROJECT: named}), answer=answer)

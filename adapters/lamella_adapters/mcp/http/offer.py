"""Tools offered to a caller, depending on its scopes and on how it names the project."""

from attrs import NOTHING, evolve, frozen

from lamella.domain.errors import AdvisedError
from lamella.domain.replies.budget import Reply
from lamella.domain.text.printing import visible
from lamella_adapters.mcp.http.request_context import about
from lamella_adapters.mcp.toolsets.arguments import argument, reshaped
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from lamella_adapters.operations import HOOKS, answered
from lamella_adapters.process.tables import sentences


@frozen(kw_only=True)
class _HooksArguments:
    request: str = argument("An operation, as JSON.")


def _hooks(call: ToolCall) -> str:
    """Return the result of an operation for the hooks of another machine."""
    if call.context.confined:
        raise AdvisedError(**sentences(__file__, "confined"))
    return answered(call.lamella.serve_hooks, call.context, call.arguments.request)


_HOOKS = Tool(title="Hooks", description="Serve hooks.", name=HOOKS, arguments=_HooksArguments, answer=_hooks)

_PROJECT = "project"
_MAX_CHARACTERS = 200


def offered(toolset: str, *, writes: bool, named: bool) -> dict[str, Tool]:
    """Return the tools for a kind of caller, keyed by name.

    Args:
        toolset: Comma-separated names of the toolsets; or `HOOKS`, with a tool for hooks of other machines.
        writes: True to include tools that write.
        named: True if token or header names the project. If not, each tool gets an argument for it.

    Raises:
        InvalidValueError: A toolset doesn't exist.
    """
    if toolset == HOOKS:
        return {HOOKS: _HOOKS} if writes else {}
    tools = chosen(toolset, reading=not writes)
    return tools if named else {name: _naming_project(tool) for name, tool in tools.items()}


def _naming_project(tool: Tool) -> Tool:
    """Add an argument to a tool for the project's name."""
    named = argument("Name of the project, such as that of its repository.", default=NOTHING, most=_MAX_CHARACTERS)

    def answer(call: ToolCall) -> str | Reply:
        context = about(call.context, visible(call.arguments.project))
        reply = tool.answer(evolve(call, context=context))
        # Omit links to memories. Reading a resource takes no arguments, so a reader can't name the project.
        return evolve(reply, linked=()) if isinstance(reply, Reply) else reply

    return evolve(tool, arguments=reshaped(tool.arguments, more={_PROJECT: named}), answer=answer)

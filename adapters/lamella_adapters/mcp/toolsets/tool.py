"""Tools and toolsets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella_adapters.mcp.toolsets.arguments import schema, structurer


@frozen
class ToolCall:
    """One call of a tool."""

    lamella: Lamella
    context: Call
    arguments: Any

    def within(self, project: str | None) -> Call:
        """Return the context of the call with the project that its arguments name, if any."""
        return evolve(self.context, project=project)


@frozen(kw_only=True)
class Tool:
    """One tool: what the client is told of it, and what it does.

    `answer` gives the text of the reply, or its blocks if there are several; a `LamellaError` that it raises is
    the reply's error. `description` and those of the arguments say `{recall}` for the name under which the
    toolset's tool `recall` is registered; `registered` says which that is.
    """

    name: str
    title: str
    description: str
    arguments: type[Any]
    answer: Callable[[ToolCall], str | tuple[str, ...]]
    read_only: bool
    idempotent: bool
    meta: Mapping[str, Any] | None = None
    registered: Mapping[str, str] = field(factory=dict)
    structure: Callable[[Mapping[str, Any]], Any] = field(init=False)

    @structure.default
    def _from_arguments(self) -> Callable[[Mapping[str, Any]], Any]:
        return structurer(self.arguments)

    @property
    def described(self) -> str:
        """Return its description for the client."""
        return self.description.format_map(self.registered)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        made = schema(self.arguments)
        for each in made["properties"].values():
            each["description"] = each["description"].format_map(self.registered)
        return made


@frozen
class Toolset:
    """Tools that belong together, and what the model is told of when to use them.

    `instructions` say `{recall}` for the name under which the tool `recall` is registered.
    """

    tools: Sequence[Tool]
    instructions: str

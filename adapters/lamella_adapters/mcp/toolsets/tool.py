"""Tools and their calls."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, field, fields_dict, frozen

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.replies.budget import Reply
from lamella_adapters.mcp.toolsets.arguments import ArgumentError, reshaped, schema, structurer
from lamella_adapters.process.tables import table


def texts_of(toolset: str) -> dict[str, Any]:
    """Return the texts of a toolset: its instructions, and the title and description of each tool."""
    return table(__file__, toolset)


@frozen
class ToolCall:
    """A call of a tool.

    Attributes:
        lamella: The use cases.
        context: The context of the call.
        arguments: The arguments, an instance of the tool's arguments class.
        registered: The registered names of the toolset's tools, keyed by original name.
    """

    lamella: Lamella
    context: Call
    arguments: Any
    registered: Mapping[str, str] = field(factory=dict)

    def within(self, project: str | None) -> Call:
        """Return the context of the call, with the project named by the arguments, if any."""
        return evolve(self.context, project=project)

    @property
    def session(self) -> str:
        """Session of the call.

        Raises:
            ArgumentError: The client names no session.
        """
        if self.context.session is None:
            raise ArgumentError(
                "This call has no session. Leave session_only out, or have the client send the header"
                " Lamella-Session."
            )
        return self.context.session


@frozen(kw_only=True)
class Tool:
    """Description and function of a tool.

    Attributes:
        title: Name of the tool for display.
        description: Text for the model. `{recall}` in a description, also of an argument, is replaced by the
            registered name of the toolset's tool `recall`.
        arguments: The attrs class of the arguments; its fields are made with `argument`.
        answer: Returns the reply, or only the reply's text. A `LamellaError` raised here is the reply's error.
        returns: Typed dictionary that describes the data of replies; None if replies are text alone.
        read_only: True if the tool changes no stored data.
        reading: Description for readers, if the tool is not `read_only`. Readers are callers that may only read.
            Empty if the tool is not offered to readers.
        changes_by: Names of the arguments that change stored data, which are not offered to readers.
        across_projects_by: Names of the arguments that reach other projects, if the user allows this.
        name: The toolset's name of the tool, by default the name of `answer`.
        idempotent: True if a repeated call changes no more data.
        meta: Further keys of the tool's description in MCP, understood by certain clients only.
        registered: The registered names of the toolset's tools, keyed by original name.
        structure: Returns an instance of `arguments`, made from a client's arguments.
    """

    title: str
    description: str
    arguments: type[Any]
    answer: Callable[[ToolCall], str | Reply]
    returns: type[Any] | None = None
    read_only: bool = False
    reading: str = ""
    changes_by: tuple[str, ...] = ()
    across_projects_by: tuple[str, ...] = ()
    name: str = field()
    idempotent: bool = True
    meta: Mapping[str, Any] | None = None
    registered: Mapping[str, str] = field(factory=dict)
    structure: Callable[[Mapping[str, Any]], Any] = field(init=False)

    @name.default
    def _of_answer(self) -> str:
        return self.answer.__name__

    @structure.default
    def _from_arguments(self) -> Callable[[Mapping[str, Any]], Any]:
        return structurer(self.arguments)

    def for_readers(self) -> "Tool | None":
        """Return the tool as offered to readers, or None if the tool isn't offered."""
        if self.read_only or not self.reading:
            return self if self.read_only else None
        arguments = reshaped(self.arguments, without=self.changes_by)
        return evolve(self, arguments=arguments, description=self.reading, read_only=True)

    def for_one_project(self) -> "Tool":
        """Return the tool without the arguments that reach other projects."""
        by = self.across_projects_by
        return evolve(self, arguments=reshaped(self.arguments, without=by)) if by else self

    @property
    def searches(self) -> bool:
        """True if the tool has an argument `query`."""
        return "query" in fields_dict(self.arguments)

    @property
    def described(self) -> str:
        """Return the description of the tool for the client."""
        return self.description.format_map(self.registered)

    @property
    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the tool's arguments."""
        made = schema(self.arguments)
        for each in made["properties"].values():
            each["description"] = each["description"].format_map(self.registered)
        return made

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
    """Return the texts of a toolset: instructions, and title and description by tool."""
    return table(__file__, toolset)


@frozen
class ToolCall:
    """One call of a tool.

    Attributes:
        lamella: The use cases.
        context: The context of the call.
        arguments: Its arguments, an instance of the tool's class of them.
        registered: The names under which the toolset's tools are registered, by their own names.
    """

    lamella: Lamella
    context: Call
    arguments: Any
    registered: Mapping[str, str] = field(factory=dict)

    def within(self, project: str | None) -> Call:
        """Return the context of the call with the project that its arguments name, if any."""
        return evolve(self.context, project=project)

    @property
    def session(self) -> str:
        """Session of the call.

        Raises:
            ArgumentError: The client names none.
        """
        if self.context.session is None:
            raise ArgumentError(
                "This call belongs to no session. Leave session_only out, or have the client send the header"
                " Lamella-Session."
            )
        return self.context.session


@frozen(kw_only=True)
class Tool:
    """One tool: what the client is told of it, and what it does.

    Attributes:
        title: The name that people read.
        description: Text for the model. Like those of the arguments, it says `{recall}` for the name under which
            the toolset's tool `recall` is registered.
        arguments: The attrs class of its arguments, whose fields are made with `argument`.
        answer: Returns the reply, or its text if that is all. A `LamellaError` that it raises is the
            reply's error.
        returns: Typed dictionary that describes the data of its replies; None if these are text alone.
        read_only: True if it changes nothing that is stored.
        reading: Its description for those who may only read, if it is not `read_only`; empty if they don't get it.
        changes_by: Names of the arguments by which it changes something, which they don't get.
        across_projects_by: Names of the arguments by which it looks into other projects, if the user lets it.
        name: The name that the toolset gives it, by default that of `answer`.
        idempotent: True if repeating a call changes nothing more.
        meta: Further keys for clients that know them.
        registered: The names under which the toolset's tools are registered, by their own names.
        structure: Returns an instance of `arguments`, made of what a client sent.
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
        """Return the tool as it is offered to those who may only read; None if it isn't."""
        if self.read_only or not self.reading:
            return self if self.read_only else None
        arguments = reshaped(self.arguments, without=self.changes_by)
        return evolve(self, arguments=arguments, description=self.reading, read_only=True)

    def for_one_project(self) -> "Tool":
        """Return the tool without what looks into other projects."""
        by = self.across_projects_by
        return evolve(self, arguments=reshaped(self.arguments, without=by)) if by else self

    @property
    def searches(self) -> bool:
        """True if it takes a query."""
        return "query" in fields_dict(self.arguments)

    @property
    def described(self) -> str:
        """Return its description for the client."""
        return self.description.format_map(self.registered)

    @property
    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of its arguments."""
        made = schema(self.arguments)
        for each in made["properties"].values():
            each["description"] = each["description"].format_map(self.registered)
        return made

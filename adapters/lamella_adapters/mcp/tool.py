"""What a toolset is made of."""

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from lamella.container import Lamella
from lamella_adapters.mcp.arguments import structurer


@frozen
class Call:
    """One call of a tool. `request` is the client's id of it, the same when it tries again."""

    lamella: Lamella
    arguments: Any
    request: str | None = None


@frozen(kw_only=True)
class Tool:
    """One tool: what the client is told of it, and what it does.

    `answer` gives the text of the reply; a `LamellaError` that it raises is the reply's error.
    """

    name: str
    title: str
    description: str
    arguments: type[Any]
    answer: Callable[[Call], str]
    read_only: bool
    idempotent: bool
    meta: Mapping[str, Any] | None = None
    structure: Callable[[Mapping[str, Any]], Any] = field(init=False)

    @structure.default
    def _from_arguments(self) -> Callable[[Mapping[str, Any]], Any]:
        return structurer(self.arguments)

"""The steps of a script, and the protocol of an API that a client speaks to the model."""

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import frozen

Json = dict[str, Any]


@frozen
class Calls:
    """Step in which the model calls a tool."""

    tool: str
    arguments: Mapping[str, Any]


@frozen
class Says:
    """Step in which the model replies with text, ending its turn."""

    text: str


@frozen
class Thinks:
    """Step in which the model thinks, and then replies or calls a tool, in one message."""

    thought: str
    then: Calls | Says


Step = Calls | Says | Thinks


class Dialect(Protocol):
    """API of a model. Requests are parsed bodies."""

    def takes(self, path: str) -> bool:
        """Return True if a request for `path` asks the model for its next message."""

    def conversation(self, request: Json) -> object:
        """Return the messages. They are equal for a repeated request."""

    def tools(self, request: Json) -> dict[str, Json]:
        """Return the offered tools by name."""

    def told(self, request: Json) -> str:
        """Return all text except the tools' results."""

    def results(self, request: Json) -> list[Json]:
        """Return the results of the tools called so far."""

    def reply(self, result: Json) -> str:
        """Return the text of a result."""

    def streams(self, request: Json, path: str) -> bool:
        """Return True if the response has to be an event stream."""

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        """Return the message as a stream: the name (possibly empty) and the data of each event."""

    def whole(self, step: Step, request: Json, number: int) -> Json:
        """Return the message for a client without streaming."""

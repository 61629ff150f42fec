"""The steps of a script, and the protocol of an API that a client speaks to the model."""

from collections.abc import Mapping
from typing import Any, Protocol

from attrs import frozen

Json = dict[str, Any]


@frozen
class Calls:
    """The model calls a tool."""

    tool: str
    arguments: Mapping[str, Any]


@frozen
class Says:
    """The model says something, which ends its turn."""

    text: str


@frozen
class Thinks:
    """The model thinks, and then says something or calls a tool, in one message."""

    thought: str
    then: Calls | Says


Step = Calls | Says | Thinks


class Dialect(Protocol):
    """An API of a model. Requests are parsed bodies."""

    def takes(self, path: str) -> bool:
        """Return True if a request for `path` asks the model for its next message."""

    def conversation(self, request: Json) -> object:
        """Return the messages, which are the same where a request is repeated."""

    def tools(self, request: Json) -> dict[str, Json]:
        """Return the tools on offer, by name."""

    def told(self, request: Json) -> str:
        """Return all text but the tools' results."""

    def results(self, request: Json) -> list[Json]:
        """Return the results of the tools called so far."""

    def reply(self, result: Json) -> str:
        """Return the text of a result."""

    def streams(self, request: Json, path: str) -> bool:
        """Return True if the answer has to be a stream of events."""

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        """Return the message as a stream: the name of each event, which may be empty, and its data."""

    def whole(self, step: Step, request: Json, number: int) -> Json:
        """Return the message for a client that doesn't stream."""

"""The wire format of MCP over stdio: a JSON-RPC message per line, in UTF-8.

This module neither reads nor writes; `pipes` does both. Both directions handle any input. Any received line
becomes a message or a reply that refuses the line, and any sent message becomes a line of valid JSON.

A line without a readable id is refused with `"id": null`, as JSON-RPC 2.0 (section 5) requires. A client that
doesn't support a null id reports the reply and continues. Without the reply, the client would never learn that its
message was lost.
"""

import json
from collections.abc import Iterator
from typing import Any

import mcp_types as types
from attrs import define, field, frozen
from pydantic import ValidationError
from pydantic_core import from_json, to_json

from lamella_adapters.mcp.transport.request_id import KEPT_BYTES, find_id, is_request_id, mend

LINE_LIMIT = 4 * 1024 * 1024
"""Maximum bytes of a line, without its newline. The HTTP transport of the MCP SDK has the same limit."""


@frozen
class Refusal:
    """A line that isn't a message, with the reply that rejects the line."""

    reply: types.JSONRPCError


@define
class LineSplitter:
    """Splitter of a stream of bytes into lines, which holds at most `LINE_LIMIT` bytes and a piece.

    A longer line is dropped on arrival and becomes a `Refusal` at the line's end.
    """

    _line: bytearray = field(factory=bytearray, init=False)
    """The unfinished line. For an overlong line, only its last bytes."""

    _overlong: bytes = field(default=b"", init=False)
    """First bytes of an overlong line."""

    def feed(self, piece: bytes) -> Iterator[bytes | Refusal]:
        """Yield the lines completed by `piece`, without newlines."""
        first, *rest = piece.split(b"\n")
        self._extend(first)
        for part in rest:
            yield from self.finish()
            self._extend(part)

    def finish(self) -> Iterator[bytes | Refusal]:
        """Yield the unfinished line at the end of the stream."""
        if self._overlong:
            text = f"The message is longer than {LINE_LIMIT:,} bytes, the limit; send less text in one call"
            yield _refuse(find_id(self._overlong, bytes(self._line)), types.INVALID_REQUEST, text)
        elif self._line:
            yield bytes(self._line)
        self._line, self._overlong = bytearray(), b""

    def _extend(self, part: bytes) -> None:
        self._line += part
        if not self._overlong and len(self._line) > LINE_LIMIT:
            self._overlong = bytes(self._line[:KEPT_BYTES])
        if self._overlong:
            del self._line[:-KEPT_BYTES]


def decode(line: bytes) -> types.JSONRPCMessage | Refusal | None:
    """Return the message in a line.

    Returns:
        The message, its refusal, or None if the line needs no answer. A blank line and an invalid response need no
        answer.

    Text that no parser accepts is replaced first (see `mend`). `NaN` and `Infinity` pass, as in pydantic's
    parser: a tool's arguments are checked by the tool.
    """
    try:
        value = from_json(line)
    except ValueError:
        if not line.strip():
            return None
        line = mend(line)
        try:
            value = from_json(line)
        except ValueError as error:
            request_id = find_id(line[:KEPT_BYTES], line[-KEPT_BYTES:])
            return _refuse(request_id, types.PARSE_ERROR, f"The line is not valid JSON: {error}")
    if not isinstance(value, dict):
        text = "A message is one JSON object a line; batches are not supported"
        return _refuse(None, types.INVALID_REQUEST, text)
    return _to_message(value)


def encode(message: types.JSONRPCMessage) -> bytes:
    """Return a message as a line, whatever its content: lone surrogates become U+FFFD, NaN becomes null."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (ValueError, RecursionError):  # pydantic's serialization error is a ValueError
        pass
    try:
        escaped = json.dumps(message.model_dump(by_alias=True, exclude_unset=True)).encode()
        return to_json(from_json(mend(escaped)), inf_nan_mode="null") + b"\n"
    except (TypeError, ValueError, RecursionError):
        request_id = getattr(message, "id", None)
        return encode(_refuse(request_id, types.INTERNAL_ERROR, "The answer cannot be written as JSON").reply)


def _to_message(value: dict[str, Any]) -> types.JSONRPCMessage | Refusal | None:
    kind: type[types.JSONRPCRequest | types.JSONRPCNotification | types.JSONRPCResponse | types.JSONRPCError]
    if "method" not in value and ("result" in value or "error" in value):
        kind = types.JSONRPCResponse if "result" in value else types.JSONRPCError
    else:
        kind = types.JSONRPCRequest if "id" in value else types.JSONRPCNotification
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        if kind in (types.JSONRPCResponse, types.JSONRPCError):
            # Don't answer an invalid response: the client would take an error with its id as the answer to a
            # request of its own.
            return None
        request_id = value.get("id")
        if "id" in value and not is_request_id(request_id):
            return _refuse(None, types.INVALID_REQUEST, "The id of a request must be a string or an integer")
        fault = error.errors(include_url=False, include_input=False)[0]
        text = f"The message is not a valid JSON-RPC 2.0 request: {fault['loc'][0]}: {fault['msg']}"
        return _refuse(request_id, types.INVALID_REQUEST, text)


def _refuse(request_id: types.RequestId | None, code: int, text: str) -> Refusal:
    error = types.ErrorData(code=code, message=text)
    return Refusal(types.JSONRPCError(jsonrpc="2.0", id=request_id, error=error))

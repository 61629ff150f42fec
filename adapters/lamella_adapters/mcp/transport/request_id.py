"""Readable text and request id of a damaged line.

JSON-RPC answers are found by their id, so a line that cannot be parsed is still worth reading for that much:
a client that gets an error for its id goes on, one that gets nothing waits for ever.
"""

import codecs
import re

from mcp_types import RequestId
from pydantic_core import from_json

# An escaped backslash and a valid pair are consumed (and kept) so that what remains is a lone surrogate.
_SURROGATES = re.compile(
    rb"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)

# No alternative begins like another and nothing follows the outer loops, so none of these can backtrack far.
_IN_STRING = re.compile(rb'(?s:[^"\\]*(?:\\.[^"\\]*)*)')
_AT_DEPTH_1 = re.compile(rb'[^"{}\[\],]*')
# Whole strings and innermost lists and objects are left to the regular expression, which is much faster.
_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_INNERMOST = rb'[\[{][^"{}\[\]]*(?:%b[^"{}\[\]]*)*[\]}]' % _STRING
_NESTED = re.compile(rb'(?s:[^"{}\[\]]+|%b|%b)*' % (_STRING, _INNERMOST))
_RUN = re.compile(rb"[\[{]+|[\]}]+|,+")

_QUOTE, _COMMA, _BACKSLASH, _OPEN_OBJECT = b'",\\{'
_OPENING, _CLOSING = b"{[", b"}]"

_STEP = 16 * 1024
"""Bytes scanned at once; a regular expression takes memory for the strings and escapes that it passes."""

MEMBER_LIMIT = 4096
"""Bytes kept of one member of a message; a longer one is not an id that anybody waits for."""


def is_request_id(value: object) -> bool:
    """Return True if MCP allows `value` as a request id: a string or an integer, and no boolean."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def mend(line: bytes) -> bytes:
    """The line without what no parser accepts as text: invalid UTF-8 and lone surrogate escapes become U+FFFD.

    A byte order mark in front is dropped. Valid surrogate pairs and escaped backslashes stay as they are.
    """
    text = line.removeprefix(codecs.BOM_UTF8).decode(errors="replace").encode()
    return _SURROGATES.sub(lambda found: found[1] or rb"\ufffd", text)


class IdScanner:
    r"""Finds the id of a message without parsing it, fed in pieces of any size.

    Only a member of the outermost object counts, never an `"id"` inside a string or a nested value; of
    several the last one counts, as in every JSON parser. Takes time linear in the input and a constant
    amount of memory.
    """

    def __init__(self) -> None:
        self.id: RequestId | None = None
        self._depth = 0
        self._in_string = False
        self._done = False
        self._member = bytearray()
        self._cut_escape = b""

    def feed(self, piece: bytes) -> None:
        """Reads on; `piece` may begin and end anywhere."""
        for start in range(0, len(piece), _STEP):
            self._scan(self._cut_escape + piece[start : start + _STEP])

    def finish(self) -> RequestId | None:
        """The id, where the end of the line is taken for the end of the message."""
        if not self._done and self._depth == 1:
            self._end_member()
        return self.id

    def _scan(self, piece: bytes) -> None:
        self._cut_escape = b""
        at = 0
        while at < len(piece) and not self._done:
            start, at = at, self._skip(piece, at)
            if self._depth == 1 and len(self._member) <= MEMBER_LIMIT:
                self._member += piece[start : min(at, start + MEMBER_LIMIT + 1)]
            if at == len(piece):
                return
            if self._in_string and piece[at] == _BACKSLASH:
                self._cut_escape = piece[at:]
                return
            run = _RUN.match(piece, at)
            end = run.end() if run and self._depth else at + 1
            self._step(piece[at], end - at)
            at = end

    def _skip(self, piece: bytes, at: int) -> int:
        """Return the position of the next byte that can change the state of the scanner."""
        outside = _NESTED if self._depth > 1 else _AT_DEPTH_1
        found = (_IN_STRING if self._in_string else outside).match(piece, at)
        return found.end() if found else at

    def _step(self, byte: int, times: int) -> None:
        if self._depth == 0:
            if byte == _OPEN_OBJECT:
                self._depth = 1
            else:
                self._done = byte != _COMMA
        elif byte == _QUOTE:
            self._in_string = not self._in_string
            self._keep(byte)
        elif byte in _OPENING:
            self._keep(byte)  # unreadable without its end: a nested value can't be taken for an id
            self._depth += times
        elif byte in _CLOSING:
            self._depth -= min(times, self._depth)
            if self._depth == 0:
                self._end_member()
                self._done = True
        elif self._depth == 1:
            self._end_member()

    def _keep(self, byte: int) -> None:
        if self._depth == 1:
            self._member.append(byte)

    def _end_member(self) -> None:
        member, self._member = bytes(self._member), bytearray()
        if len(member) > MEMBER_LIMIT or not (b'"id"' in member or b"\\" in member):
            return
        try:
            value = from_json(b"{%b}" % mend(member)).get("id", self.id)
        except ValueError:
            return
        self.id = value if is_request_id(value) else None

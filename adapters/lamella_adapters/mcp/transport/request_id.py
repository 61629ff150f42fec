"""Repair of a damaged line, and search for its request id."""

import codecs
import re

from mcp_types import RequestId
from pydantic_core import from_json

KEPT_BYTES = 4096
"""Number of bytes to search for the id at each end of a line."""

# Escaped backslashes and valid surrogate pairs match the group and stay. Any other match is a lone surrogate.
_SURROGATES = re.compile(
    rb"(\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)

# Groups are atomic and quantifiers possessive, so that no expression can backtrack far. Groups have no possessive
# quantifiers, because these match too much before Python 3.11.5.
_STRING = rb'"(?>(?:[^"\\\x00-\x1f]|\\.)*)"'
_MEMBER = rb"\s*+%b\s*+:\s*+(?:%b|[-+.\w]++)\s*+" % (_STRING, _STRING)
_ID = rb'\s*+"id"\s*+:\s*+("[^"\\\x00-\x1f]*+"|-?(?:0|[1-9][0-9]{0,18}))\s*+'
_AT_HEAD = re.compile(rb"\s*+\{(?:%b,)*?%b[,}]" % (_MEMBER, _ID))
_AT_TAIL = re.compile(rb"[{,]%b(?>(?:,%b)*)\}\s*+\Z" % (_ID, _MEMBER))


def is_request_id(value: object) -> bool:
    """Return True if MCP allows `value` as a request id: a string or an integer, but not a boolean."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def mend(line: bytes) -> bytes:
    """Return the line with invalid UTF-8 and lone surrogate escapes, which no parser accepts, as U+FFFD.

    A byte order mark in front is dropped. Valid surrogate pairs and escaped backslashes stay as they are.
    """
    text = line.removeprefix(codecs.BOM_UTF8).decode(errors="replace").encode()
    return _SURROGATES.sub(lambda found: found[1] or rb"\ufffd", text)


def find_id(head: bytes, tail: bytes) -> RequestId | None:
    """Return the id of an unparsable message, if the id is in the usual place.

    Usual places are before and after all members that are lists or objects: the MCP SDK for Python writes the id
    first, the SDK for TypeScript last.

    Args:
        head: First bytes of the line.
        tail: Last bytes of the line; both may overlap.

    Returns:
        The id. None if the id is elsewhere, is neither an integer nor a string without escapes, or is missing.
    """
    found = _AT_HEAD.match(mend(head)) or _AT_TAIL.search(mend(tail))
    request_id: RequestId | None = from_json(found[1]) if found else None
    return request_id

"""Exports as JSON Lines: a header with the version of the format, one record in each line, and an end."""

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from attrs import frozen

from lamella.domain.errors import LamellaError
from lamella.domain.exchange.fields import InvalidRecordError
from lamella.domain.exchange.records import VERSION, Record, record_fields, record_of

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Maximum length of a line in bytes. Memories of the largest commits are shorter."""

_FORMAT = "lamella"
_HEADER = {"type": "header", "format": _FORMAT, "version": VERSION}
_END = {"type": "end"}
"""The last line of an export. A file without it was truncated."""

_NO_EXPORT = "this is not an export of lamella; to import from another program, see: lamella import --help"

_UTF16 = "this file is in UTF-16, and exports are in UTF-8; to export again in UTF-8, run: lamella export FILE"

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
BEGINNING = b'{"type":"header","format":"lamella"'
"""First bytes of an export."""


@frozen(kw_only=True)
class UnreadableExportError(LamellaError):
    """A file is not an export, is truncated, or was modified. Records before `place` were imported.

    Attributes:
        place: The invalid line or file.
        reason: Description of the error.
    """

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}."


def written(records: Iterable[Record]) -> Iterator[bytes]:
    """Format records as the lines of an export, with header and end. Yield the lines."""
    yield _line(_HEADER)
    for record in records:
        yield _line(record_fields(record))
    yield _line(_END)


def read(stream: BinaryIO) -> Iterator[tuple[str, Record]]:
    """Yield the records of an export, each with the number of its line.

    Raises:
        UnreadableExportError: A line doesn't belong to an export of this version. Lines before it were yielded.
    """
    lines = _lines(stream)
    place, header = next(lines, ("Line 1", {}))
    if header.get("type") != "header" or header.get("format") != _FORMAT:
        raise UnreadableExportError(place=place, reason=_NO_EXPORT)
    require_version(place, header.get("version"))
    for place, fields in lines:
        if fields == _END:
            if after := next(lines, None):
                reason = "it comes after the end of the export; import several exports one by one"
                raise UnreadableExportError(place=after[0], reason=reason)
            return
        try:
            yield place, record_of(fields)
        except InvalidRecordError as error:
            raise UnreadableExportError(place=place, reason=str(error)) from error
    raise UnreadableExportError(place=place, reason="the file is truncated here")


def require_version(place: str, version: object) -> None:
    """Check the version of an export.

    Raises:
        UnreadableExportError: The export has another version.
    """
    if version != VERSION or isinstance(version, bool):
        raise UnreadableExportError(
            place=place,
            reason=f"this export has version {str(version)[:20]}, and this lamella reads version {VERSION};"
            " upgrade lamella",
        )


def _line(fields: dict[str, Any]) -> bytes:
    return _encode(fields).encode() + b"\n"


def _lines(stream: BinaryIO) -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        place = f"Line {number}"
        if len(line) > MAX_LINE_BYTES:
            raise UnreadableExportError(place=place, reason=f"it is longer than {MAX_LINE_BYTES} bytes")
        if line.strip():  # editors may add a blank line at the end
            yield place, _object(number, line.removeprefix(BOM_UTF8) if number == 1 else line)


def begins(head: bytes) -> bool:
    """Return True if a file that begins with the bytes `head` is an export. Editors may add a byte order mark."""
    return head.removeprefix(BOM_UTF8).startswith(BEGINNING)


def _object(number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    # RecursionError: a line of many brackets is nested too deeply.
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        damage = "it is not a JSON object in UTF-8" if line.endswith(b"\n") else "it is truncated"
        foreign = _UTF16 if line.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) else _NO_EXPORT
        reason = damage if number > 1 or line.startswith(BEGINNING) else foreign
        raise UnreadableExportError(place=f"Line {number}", reason=reason)
    return found

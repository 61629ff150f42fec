"""Records of large JSON files, one at a time."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from ijson import ObjectBuilder

from lamella.ports.peers import Skipped
from lamella_adapters.peers.files import BROKEN, RIGHT_FILE, TOO_LONG, opened, unreadable
from lamella_adapters.peers.values import Record
from lamella_adapters.transcripts.files import lines as lines_of

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BEGINNING = 4096
"""The JSON must begin within this number of bytes at the start of a file."""

_MAX_DEPTH = 100
_STARTS, _ENDS = ("start_map", "start_array"), ("end_map", "end_array")


def records(path: Path, *names: str) -> Iterator[Record | Skipped]:
    """Yield the objects in a JSON file that is a list, or an object with lists under `names`.

    Items of the lists that aren't objects are skipped with a reason.

    Raises:
        PeerUnreadableError: The JSON is invalid or truncated. Objects before the error were yielded.
    """
    with opened(path, follow=True) as file:
        yield from records_of(file, path, *names)


def records_of(file: BinaryIO, path: Path, *names: str) -> Iterator[Record | Skipped]:
    """Yield objects from an open file, as `records` does. Errors contain `path` as the name of the file."""
    file.seek(0)
    if file.read(len(_BYTE_ORDER_MARK)) != _BYTE_ORDER_MARK:
        file.seek(0)
    begin = file.tell()
    if file.read(_BEGINNING).lstrip()[:1] not in (b"{", b"["):
        raise unreadable(path, "it is neither JSON nor a SQLite file", RIGHT_FILE)
    file.seek(begin)
    read = 0
    try:
        for each in _items(ijson.basic_parse(file, use_float=True), names):
            read += 1
            yield each
    except (ijson.JSONError, ValueError, OverflowError) as error:
        raise unreadable(
            path,
            f"it is not JSON, or incomplete, after {read} records of {' and '.join(names)}",
            "The records before this are imported. For the rest, export again and import the new file."
            if read
            else RIGHT_FILE,
        ) from error


def _items(events: Iterator[tuple[str, Any]], names: Sequence[str]) -> Iterator[Record | Skipped]:
    """Yield the items of the requested lists, one at a time.

    Raises:
        ValueError: The JSON is nested too deeply.
    """
    depth = wanted = 0
    name, item = "", ObjectBuilder()
    for kind, value in events:
        begins, ends = kind in _STARTS, kind in _ENDS
        depth -= ends
        wanted = 0 if depth < wanted else wanted
        if wanted:
            item = item if depth > wanted or ends else ObjectBuilder()
            item.event(kind, value)
            if depth == wanted and not begins:
                yield item.value if isinstance(item.value, dict) else BROKEN
        elif kind == "map_key" and depth == 1:
            name = value
        elif kind == "start_array" and (not depth or (depth == 1 and name in names)):
            wanted = depth + 1
        depth += begins
        if depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")


def lines(file: BinaryIO) -> Iterator[Record | Skipped]:
    """Yield the objects of JSON lines. Ignore blank lines. For a line that isn't an object, yield the reason."""
    for line in lines_of(file, 0):
        if line.content is None:
            yield TOO_LONG
        elif line.content.strip():
            yield parsed(line.content)


def parsed(line: bytes) -> Record | Skipped:
    """Return the JSON object in a line, or the reason why it isn't one."""
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return BROKEN
    return value if isinstance(value, dict) else BROKEN


def first_of(names: Sequence[str], record: Record) -> Any:
    """Look up `names` in a record, in order. Return the first value that isn't None."""
    return next((record[name] for name in names if record.get(name) is not None), None)

"""Records of large JSON files, one at a time."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from attrs import define, field

from lamella.ports.peers import Skipped
from lamella_adapters.peers.files import BROKEN, RIGHT_FILE, TOO_LONG, opened, unreadable
from lamella_adapters.peers.values import Record

MAX_LINE_BYTES = 8 * 1024 * 1024
"""Longer lines are skipped without being kept in memory."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BEGINNING = 4096
"""Bytes in which a JSON file has to begin."""

_MAX_DEPTH = 100
_IN_OBJECT = 2
_CONTAINERS: Mapping[str, type] = {"start_map": dict, "start_array": list}
_ENDS = ("end_map", "end_array")


def records(path: Path, *names: str) -> Iterator[Record]:
    """Yield the objects of a list in a JSON file: that of the whole file, or those in its object under `names`.

    Raises:
        PeerUnreadableError: It is no JSON, or breaks off; what came before was yielded.
    """
    with opened(path, follow=True) as file:
        yield from records_of(file, path, *names)


def records_of(file: BinaryIO, path: Path, *names: str) -> Iterator[Record]:
    """Yield the objects of a list as `records` does, from an open file; `path` is for errors."""
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
            f"it is no JSON, or breaks off, after {read} records of {' and '.join(names)}",
            "What came before is imported. Export it again, and import that for the rest.",
        ) from error


def _items(events: Iterator[tuple[str, Any]], names: Sequence[str]) -> Iterator[Record]:
    """Yield the objects of the lists that are wanted, one at a time.

    Raises:
        ValueError: They are nested too deeply.
    """
    depth = wanted = 0
    name = ""
    item = _Item()
    for kind, value in events:
        if kind == "map_key":
            name = value if depth == 1 else name
            item.key = value
        elif kind in _ENDS:
            depth -= 1
            wanted = 0 if depth < wanted else wanted
            if isinstance(whole := item.end(), dict):
                yield whole
        elif kind in _CONTAINERS:
            depth += 1
            if depth > _MAX_DEPTH:
                raise ValueError("nested too deeply")
            if wanted:
                item.begin(_CONTAINERS[kind]())
            elif kind == "start_array" and (depth == 1 or (depth == _IN_OBJECT and name in names)):
                wanted = depth
        else:
            item.add(value)


@define
class _Item:
    """One item of a list, while it is read."""

    key: str = ""
    _open: list[Any] = field(factory=list)

    def add(self, value: Any) -> None:
        """Add a value to the innermost container, if any."""
        match self._open[-1:]:
            case [dict() as container]:
                container[self.key] = value
            case [container]:
                container.append(value)

    def begin(self, container: Any) -> None:
        """Begin a container inside of the innermost one."""
        self.add(container)
        self._open.append(container)

    def end(self) -> Any:
        """End the innermost container, and return it if it is the whole item."""
        ended = self._open.pop() if self._open else None
        return None if self._open else ended


def lines(file: BinaryIO) -> Iterator[Record | Skipped]:
    """Yield the objects of JSON lines. Blank lines are left out, and others are skipped with a reason."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            while not line.endswith(b"\n") and (line := file.readline(MAX_LINE_BYTES)):
                pass
            yield TOO_LONG
            continue
        if line.strip():
            yield parsed(line)


def parsed(line: bytes) -> Record | Skipped:
    """Return a JSON object; why there is none if it is something else."""
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return BROKEN
    return value if isinstance(value, dict) else BROKEN


def first_of(names: Sequence[str], record: Record) -> Any:
    """Return the first value of a record under some names that is not None."""
    return next((record[name] for name in names if record.get(name) is not None), None)

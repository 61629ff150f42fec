"""Lamella's entries in other programs' configurations, and the interface of a configuration format."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from lamella.domain.errors import LamellaError

NAME = "lamella"
"""Name of the server in clients."""

_HOOK = re.compile(r"lamella_adapters/hooks/hook\.py|\blamella'? hook\b")
"""Patterns of a hook's shell line: by its script, and by its command."""

Path = tuple[str | int, ...]
"""Keys and positions leading to a value."""


class UnfitFileError(LamellaError):
    """A file can't be changed. The message says why, without a full stop."""


@frozen(kw_only=True)
class ConfigEntry:
    """One entry of lamella in a configuration.

    Attributes:
        path: Keys that lead to the mapping or list with the entry.
        name: Key of the entry; None for an element of a list.
        value: Value of the entry.
    """

    path: tuple[str, ...]
    name: str | None = None
    value: Any


@frozen(kw_only=True)
class Format:
    """Functions that edit text in a configuration format, and leave the rest of the text unchanged.

    Attributes:
        parsed: Returns the data of a text, `{}` for an empty text. Raises `UnfitFileError`.
        inserted: Returns the text with a value added to the mapping or list at a path. A missing mapping or list
            is created.
        deleted: Returns the text without the value at a path.
        empty: Initial text of a new file.
    """

    parsed: Callable[[str], Any]
    inserted: Callable[[str, tuple[str, ...], str | None, Any], str]
    deleted: Callable[[str, Path], str]
    empty: str = ""


def newline_of(text: str) -> str:
    """Return the line ending of a text: CRLF if it occurs, else LF."""
    return "\r\n" if "\r\n" in text else "\n"


def ended(text: str) -> str:
    """Terminate a text's last line, unless the text is empty."""
    return text if not text or text.endswith("\n") else text + newline_of(text)


def value_at(data: Any, path: Path) -> Any:
    """Return the value at a path; None if the value is missing."""
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def words_of(value: Any) -> Sequence[str]:
    """Return the program and the arguments of a server's entry; empty without a program."""
    named = (value_at(value, ("command",)) or value_at(value, ("cmd",))) if isinstance(value, dict) else None
    arguments = value_at(value, ("args",))
    words = named if isinstance(named, list) else [named, *(arguments if isinstance(arguments, list) else ())]
    return words if all(isinstance(each, str) for each in words) else ()


def ours_in(data: Any, entries: Sequence[ConfigEntry]) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of each lamella entry in a configuration, without duplicates."""
    lists = dict.fromkeys(place for each in entries if each.name is None for place in _lists(data, each.path))
    for entry in entries:
        value = value_at(data, (*entry.path, entry.name or ""))
        if entry.name == NAME and value is not None:
            yield (*entry.path, NAME), value
    for place in lists:
        for at, value in enumerate(value_at(data, place)):
            texts = [each for each in _leaves(value) if isinstance(each, str)]
            if NAME in texts or any(map(_HOOK.search, texts)):
                yield (*place, at), value


def _lists(data: Any, path: tuple[str, ...]) -> Iterator[Path]:
    """Yield the list at a path and its sibling lists, where earlier versions of lamella may have put entries."""
    *outer, last = path
    beside = value_at(data, tuple(outer)) if outer else {last: value_at(data, path)}
    if isinstance(beside, dict):
        yield from ((*outer, key) for key, value in beside.items() if isinstance(value, list))


def scalars_in(value: Any) -> Iterator[str]:
    """Yield the strings, numbers and booleans in a value as JSON text, without quotes."""
    yield from (json.dumps(each, ensure_ascii=False).strip('"') for each in _leaves(value))


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value

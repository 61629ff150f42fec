"""New texts of configurations, with lamella's entries added or removed."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from lamella_adapters.cli.setup.entries import ConfigEntry, Format, Path, UnfitFileError, ended, ours_in, value_at

_NOT_SAFE = "lamella cannot edit it without changing more than its own entry; edit it by hand"


def connected(text: str | None, format_: Format, entries: Sequence[ConfigEntry]) -> str:
    """Return a configuration with all present entries of lamella, and without its obsolete entries.

    Args:
        text: The configuration; None for a missing file.
        format_: Format of the configuration.
        entries: Entries of the configuration.

    Raises:
        UnfitFileError: The configuration can't be parsed, or an edit would change other parts.
    """
    text = _begun(text or "", format_)
    data = format_.parsed(text)
    wanted = [_merged(data, each) for each in entries]
    for path, value in reversed(list(ours_in(data, wanted))):
        if not any(_is_there(path, value, each) for each in wanted):
            text = _deleted(text, format_, path)
    for each in reversed(wanted):
        if not _has(format_.parsed(text), each):
            text = _inserted(text, format_, each)
    return text


def _begun(text: str, format_: Format) -> str:
    """Return the text to edit. If the file has only comments, append the initial text of a new file."""
    begun = ended(text) + format_.empty
    blank = not format_.parsed(text) and parsed_if_sound(begun, format_) == format_.parsed(format_.empty)
    return begun if blank else text


def disconnected(text: str, format_: Format, entries: Sequence[ConfigEntry], *, before: str | None) -> str | None:
    """Return a configuration without lamella's entries; None if the file would be empty.

    Entries that lamella replaced are restored.

    Args:
        text: The configuration.
        format_: Format of the configuration.
        entries: Lamella's present entries. Entries of earlier versions are found in the same lists.
        before: The configuration before lamella's first change; None for a missing file.

    Raises:
        UnfitFileError: The configuration can't be parsed, or an edit would change other parts.
    """
    found = list(ours_in(format_.parsed(text), entries))
    if found and _undoes(text, format_, entries, before):
        return before
    former = parsed_if_sound(before, format_)
    for path, _ in reversed(found):
        outer = path
        while len(outer) > 1 and _is_alone(format_.parsed(text), outer) and value_at(former, outer[:-1]) is None:
            outer = outer[:-1]
        text = _deleted(text, format_, outer)
    for path, value in reversed(list(ours_in(former, entries)) if found else []):
        outer, last = tuple(map(str, path[:-1])), path[-1]
        name = last if isinstance(last, str) else None
        text = _inserted(text, format_, ConfigEntry(path=outer, name=name, value=value))
    made_by_us = found and before is None and format_.parsed(text) == format_.parsed(format_.empty)
    return None if made_by_us else text


def _undoes(text: str, format_: Format, entries: Sequence[ConfigEntry], before: str | None) -> bool:
    """Return True if a configuration differs from its earlier state only by lamella's entries."""
    try:
        return connected(before, format_, entries) == text
    except UnfitFileError:
        return False


def parsed_if_sound(text: str | None, format_: Format) -> Any:
    """Return the data of a configuration, `{}` for a missing file, and None for an unparsable text."""
    try:
        return format_.parsed(text or "")
    except UnfitFileError:
        return None


def _is_alone(data: Any, path: Path) -> bool:
    return len(value_at(data, path[:-1]) or ()) == 1


def _merged(data: Any, entry: ConfigEntry) -> ConfigEntry:
    """Return a new entry with the user's additions to the old entry."""
    present = value_at(data, (*entry.path, entry.name or ""))
    if entry.name is None or not isinstance(present, dict):
        return entry
    return ConfigEntry(path=entry.path, name=entry.name, value={**present, **entry.value})


def _is_there(path: Path, value: Any, entry: ConfigEntry) -> bool:
    return path[: len(entry.path)] == entry.path and len(path) == len(entry.path) + 1 and value == entry.value


def _has(data: Any, entry: ConfigEntry) -> bool:
    if entry.name is None:
        held = value_at(data, entry.path)
        return isinstance(held, list) and entry.value in held
    return bool(value_at(data, (*entry.path, entry.name)) == entry.value)


def _inserted(text: str, format_: Format, entry: ConfigEntry) -> str:
    expected = deepcopy(format_.parsed(text))
    inserted = format_.inserted(text, entry.path, entry.name, entry.value)
    inner = expected
    for depth, key in enumerate(entry.path, 1):
        if not isinstance(inner, dict):
            raise UnfitFileError(_NOT_SAFE)
        if inner.get(key) is None:
            inner[key] = [] if depth == len(entry.path) and entry.name is None else {}
        inner = inner[key]
    if isinstance(inner, dict) and entry.name is not None:
        inner[entry.name] = entry.value
    elif isinstance(inner, list) and entry.name is None:
        inner.insert(0, entry.value)
    if parsed_if_sound(inserted, format_) != expected:
        raise UnfitFileError(_NOT_SAFE)
    return inserted


def _deleted(text: str, format_: Format, path: Path) -> str:
    expected = deepcopy(format_.parsed(text))
    del value_at(expected, path[:-1])[path[-1]]
    deleted = format_.deleted(text, path)
    if _trimmed(parsed_if_sound(deleted, format_), path) != _trimmed(expected, path):
        raise UnfitFileError(_NOT_SAFE)
    return deleted


def _trimmed(data: Any, path: Path) -> Any:
    """Drop empty parents on a path, so that data is comparable. TOML omits empty tables, but JSON keeps them."""
    for depth in reversed(range(1, len(path))):
        outer = value_at(data, path[: depth - 1])
        if isinstance(outer, dict) and outer.get(path[depth - 1]) in (None, {}, []):
            outer.pop(path[depth - 1], None)
    return data

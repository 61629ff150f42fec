"""Values in other programs' records, of any type."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from lamella.domain.text.printing import well_formed
from lamella.ports.peers import BLANK, BROKEN, ForeignMemory, ForeignPrompt, Skipped
from lamella_adapters.peers.files import TOO_LONG
from lamella_adapters.transcripts.records import seconds, time

MAX_TEXT_CHARACTERS = 2_000_000
"""Maximum length of an imported text: some 200 memories."""

Record = Mapping[str, Any]
"""A row, or a JSON object, of another program."""

_Read = TypeVar("_Read")
_Made = TypeVar("_Made")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def text(value: object) -> str:
    """Return a text without surrounding white space; empty for other types."""
    return well_formed(value).strip() if isinstance(value, str) else ""


def number(value: object) -> str:
    """Return an id as text, if it is a whole number or a text. Return empty text for any other value."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)


def moment(value: object, *, per_second: int = 1) -> datetime | None:
    """Parse a time: a number since 1970, or text in ISO 8601, by default in UTC.

    Args:
        value: The time.
        per_second: Number of units in a second if `value` is a number, such as 1000 for milliseconds.

    Returns:
        The time in UTC; None for an invalid time, or a time before 1970.
    """
    at = time(value.strip()) if isinstance(value, str) else seconds(value, per_second=per_second)
    return at if at is not None and at > _EPOCH else None


def texts(value: object) -> Sequence[str]:
    """Return the texts in a list; see `listed`."""
    return [each for each in map(text, listed(value)) if each]


def listed(value: object) -> Sequence[object]:
    """Return the items of a list, or of a JSON list in a text. None and "" have no items.

    For any other value, return [None], which `no_texts` counts as an item that isn't a text.
    """
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    return value if isinstance(value, list) else [None] * (value not in (None, ""))


def no_texts(*lists: object) -> int:
    """Return the number of items that `texts` leaves out because they aren't texts."""
    return sum(not isinstance(each, str) for value in lists for each in listed(value))


def made(rows: Iterable[_Read | Skipped], make: Callable[[_Read], _Made]) -> Iterator[_Made | Skipped]:
    """Convert records with `make`. Pass instances of `Skipped` on unchanged."""
    for row in rows:
        yield row if isinstance(row, Skipped) else make(row)


def folder_name(directory: str) -> str:
    """Return the last part of a path. The path may have the separators of Windows or Unix."""
    return PureWindowsPath(directory).name if "\\" in directory else PurePosixPath(directory).name


def memory(*, key: str, content: str, **fields: Any) -> ForeignMemory | Skipped:
    """Return a memory. If its id is missing, or its content is blank or too long, return the reason instead.

    Empty texts count as missing.
    """
    if not content.strip() or not key.strip():
        return BLANK if key.strip() else BROKEN
    if len(content) > MAX_TEXT_CHARACTERS:
        return TOO_LONG
    return ForeignMemory(key=key, content=content, **_without_empty(fields))


def prompt(*, key: str, text: str, session: str, at: datetime | None, **place: str) -> ForeignPrompt | Skipped:
    """Return a prompt. If text, session or time is missing, return the reason. Empty texts count as missing."""
    if not text or not session or at is None:
        return BLANK
    if len(text) > MAX_TEXT_CHARACTERS:
        return TOO_LONG
    return ForeignPrompt(key=key, text=text, session=session, at=at, **_without_empty(place))


def _without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != ""}

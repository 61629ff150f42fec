"""Ids in user input: whole, without hyphens, or abbreviated. Hooks use this module.

This module doesn't import attrs or `uuid`, because importing them is too slow for hooks.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

MIN_PREFIX_CHARACTERS = 4
"""Minimum length of a prefix of an id."""

SHORT_ID_CHARACTERS = 8
"""Usual length of a printed short id. A short id is longer if other ids in the project begin like it."""

_ID_DIGITS, _ID_CHARACTERS = 32, 36
_HEXADECIMAL = frozenset("0123456789abcdef")


def id_prefix(given: str) -> str | None:
    """Return the hexadecimal digits of `given`, or None if no id can begin with them.

    Args:
        given: A full id with or without hyphens, or a prefix of at least four characters.
    """
    written = given.strip().lower()
    digits = written.replace("-", "")
    if len(written) > _ID_CHARACTERS or not set(digits) <= _HEXADECIMAL:
        return None
    return digits if MIN_PREFIX_CHARACTERS <= len(digits) <= _ID_DIGITS else None


def too_short(given: str) -> str:
    """Return a sentence for the user if `given` is too short for an id. Otherwise, return an empty text."""
    if 0 < len(given.strip()) < MIN_PREFIX_CHARACTERS:
        return f"An id needs at least {MIN_PREFIX_CHARACTERS} characters."
    return ""


def full_id(given: str) -> "UUID | None":
    """Parse a full id, written with or without hyphens. Return None for anything else."""
    from uuid import UUID  # noqa: PLC0415 - see above

    digits = id_prefix(given)
    return UUID(digits) if digits and len(digits) == _ID_DIGITS else None


def short_id(id: "UUID", others: "Sequence[UUID]") -> str:
    """Return the shortest prefix of an id, of at least eight characters, unique among `others`."""
    return shortest(id.hex, [other.hex for other in others])


def shortest(digits: str, others: Sequence[str]) -> str:
    """Like `short_id`, for ids given as hexadecimal digits."""
    length = SHORT_ID_CHARACTERS
    for other in others:
        while other != digits and other.startswith(digits[:length]):
            length += 1
    return digits[:length]

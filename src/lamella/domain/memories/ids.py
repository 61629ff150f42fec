"""Ids as people write them: whole, without hyphens, or only their beginning. Hooks use this module.

It imports neither attrs nor `uuid`, which hooks have no time for.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

MIN_PREFIX_CHARACTERS = 4
"""The shortest beginning of an id that is looked up."""

SHORT_ID_CHARACTERS = 8
"""Length of a printed short id; longer where that is not unique in its project."""

_ID_DIGITS, _ID_CHARACTERS = 32, 36
_HEXADECIMAL = frozenset("0123456789abcdef")


def id_prefix(given: str) -> str | None:
    """Return the hexadecimal digits that `given` stands for, or None if no id can begin like that.

    Args:
        given: A full id, the same without hyphens, or at least four of its first characters.
    """
    written = given.strip().lower()
    digits = written.replace("-", "")
    if len(written) > _ID_CHARACTERS or not set(digits) <= _HEXADECIMAL:
        return None
    return digits if MIN_PREFIX_CHARACTERS <= len(digits) <= _ID_DIGITS else None


def full_id(given: str) -> "UUID | None":
    """Return the id that `given` is, with or without hyphens, or None if it is no whole id."""
    from uuid import UUID  # noqa: PLC0415 - see above

    digits = id_prefix(given)
    return UUID(digits) if digits and len(digits) == _ID_DIGITS else None


def short_id(id: "UUID", others: "Sequence[UUID]") -> str:
    """Return the shortest beginning of an id, of at least eight characters, that no id of `others` shares."""
    return shortest(id.hex, [other.hex for other in others])


def shortest(digits: str, others: Sequence[str]) -> str:
    """Return the same for ids that are given as their hexadecimal digits."""
    length = SHORT_ID_CHARACTERS
    for other in others:
        while other != digits and other.startswith(digits[:length]):
            length += 1
    return digits[:length]

"""Base of all errors, field validators, and the error for an invalid field.

This module imports nothing from the domain, so every module of the domain can import it.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import UnionType
from typing import Any, NoReturn, get_args
from uuid import UUID

from attrs import Attribute, frozen

Validator = Callable[[Any, "Attribute[Any]", Any], None]
"""A validator of attrs."""

_ECHO_CHARACTERS = 60
"""Maximum length of a value of the wrong type, quoted in the error."""

_GIVEN_CHARACTERS = 500
"""Maximum length of any value in the text of an error."""

MOST = 2**31 - 1
"""Largest number that callers may give, by default. Every storage can handle it."""


class LamellaError(Exception):
    """Base of all errors that lamella raises deliberately."""


@frozen(kw_only=True, repr=False, slots=False)
class InvalidValueError(LamellaError, ValueError):
    """A value is out of range, or has the wrong type."""

    name: str
    given: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.name} must be {self.allowed}, not {self.given[:_GIVEN_CHARACTERS]}."


def refuse_type(name: str, value: object, allowed: str) -> NoReturn:
    """Raise an error for a value of the wrong type.

    Args:
        name: Name of the field or argument.
        value: The wrong value.
        allowed: Description of allowed values, such as `a list of ids`.

    Raises:
        InvalidValueError: Always.
    """
    raise InvalidValueError(
        name=name, given=f"{repr(value)[:_ECHO_CHARACTERS]} ({type(value).__name__})", allowed=allowed
    )


def require_type(name: str, value: object, kinds: type | UnionType, allowed: str | None = None) -> None:
    """Check the type of a value. True and False don't count as numbers.

    Args:
        name: Name of the field or argument.
        value: Value of the field or argument.
        kinds: The type, or a union of types.
        allowed: Description of allowed values; by default the names of the types, or the members of an enum.

    Raises:
        InvalidValueError: The value has a type that isn't allowed.
    """
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        types = get_args(kinds) or (kinds,)
        names = [
            f"{each.__name__}{member}"
            for each in types
            for member in [f".{one}" for one in getattr(each, "__members__", ())] or [""]
        ]
        refuse_type(name, value, allowed or " or ".join(names))


def instance_of(kinds: type | UnionType, allowed: str | None = None) -> Validator:
    """Return a validator of types, see `require_type`.

    Args:
        kinds: The type, or a union of types.
        allowed: Description of allowed values; by default the names of the types.
    """
    refused: type | tuple[()] = () if kinds is bool else bool

    def check(_instance: object, attribute: "Attribute[Any]", value: object) -> None:
        if not isinstance(value, kinds) or isinstance(value, refused):
            require_type(attribute.name, value, kinds, allowed)

    return check


def require_number(name: str, value: object, *, least: int, most: float = MOST) -> None:
    """Check that a value is an integer from `least` to `most`.

    Raises:
        InvalidValueError: The value is too small or too large, or isn't an integer.
    """
    require_type(name, value, int, "a whole number")
    if isinstance(value, int) and not least <= value <= most:
        allowed = f"at least {least}" if value < least else f"at most {most}"
        raise InvalidValueError(name=name, given=str(value), allowed=allowed)


def at_least(least: int, most: float = MOST) -> Validator:
    """Return a validator for whole numbers, see `require_number`."""

    def check(_instance: object, attribute: "Attribute[Any]", value: object) -> None:
        # Fast path: nearly all values are valid integers.
        if type(value) is not int or not least <= value <= most:
            require_number(attribute.name, value, least=least, most=most)

    return check


def listed(name: str, values: Sequence[str]) -> Sequence[str]:
    """Return `values` after checking that they are a list of strings.

    Raises:
        InvalidValueError: The values aren't a list of strings.
    """
    if not isinstance(values, list | tuple) or not all(isinstance(each, str) for each in values):
        refuse_type(name, values, "a list of texts")
    return values


def list_of_texts(_instance: object, attribute: "Attribute[Any]", values: Sequence[str]) -> None:
    """Validate a list of strings."""
    listed(attribute.name, values)


def as_id(given: str | UUID) -> str:
    """Return an id as a text. Other types are returned unchanged, for a validator to refuse."""
    return str(given) if isinstance(given, UUID) else given


def as_ids(given: Sequence[str | UUID]) -> tuple[str, ...]:
    """Return ids as texts. Anything but a list is returned unchanged, for a validator to refuse."""
    if not isinstance(given, list | tuple):
        return given  # type: ignore[return-value]
    return tuple(map(as_id, given))


is_text = instance_of(str, "a text")
"""A validator for texts."""


def not_blank(_instance: object, attribute: "Attribute[Any]", value: str) -> None:
    """Validate that a text isn't blank."""
    if not value.strip():
        raise InvalidValueError(name=attribute.name, given="blank", allowed="a text that is not blank")


def in_utc(given: datetime) -> datetime:
    """Validate an aware time, and convert it to UTC.

    If the converted time would be out of range, only the zone is replaced.
    """
    if not isinstance(given, datetime) or given.tzinfo is None:
        _refuse_naive("time", given)
    if given.tzinfo is UTC:
        return given
    try:
        return given.astimezone(UTC)
    except OverflowError:
        return given.replace(tzinfo=UTC)


def aware(_instance: object, attribute: "Attribute[Any]", value: datetime) -> None:
    """Validate an aware datetime."""
    if not isinstance(value, datetime) or value.utcoffset() is None:
        _refuse_naive(attribute.name, value)


def _refuse_naive(name: str, given: object) -> NoReturn:
    if not isinstance(given, datetime):
        refuse_type(name, given, "an aware datetime")
    raise InvalidValueError(name=name, given=f"{given} without a zone", allowed="an aware datetime")

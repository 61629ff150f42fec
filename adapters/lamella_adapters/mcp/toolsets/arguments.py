"""Arguments of tools, and data that tools return to programs. Both have JSON schemas.

For arguments, a schema and a validator are made from the same attrs class.
"""

import difflib
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from attrs import NOTHING, Attribute, field, fields, make_class

from lamella.domain.errors import InvalidValueError, LamellaError
from lamella.domain.text.printing import trimmed, visible

QUERY = (
    "A question or words. Any of them is enough: add synonyms and likely identifiers. One topic a call; if the"
    " match is weak, ask again in other words."
)
"""Description of a query in every toolset.

Agents follow this description in their first query. In a measurement with 500 memories and 30 questions, the right
memory was the first hit for 29 questions. With the description "Words or identifiers.", it was for 22.
"""

KEYWORDS = "Other words to find it by."
"""Description of keywords in every toolset."""

_ECHO_CHARACTERS = 60
_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}

_Arguments = TypeVar("_Arguments")


class ArgumentError(LamellaError):
    """The arguments of a call don't match the tool's schema."""


def argument(
    description: str,
    *,
    default: Any = NOTHING,
    least: int | None = None,
    most: int | None = None,
    blank: str | None = None,
) -> Any:
    """Return an attrs field that is one argument of a tool.

    Args:
        description: Text for the model.
        default: Value of a missing argument. Without a default, the argument is required.
        least: Minimum of a number, of the length of a text, or of the number of elements in an array.
        most: Maximum of a number, of the length of a text, or of the number of elements in an array.
        blank: Sentence of the error for a missing required argument. The default sentence says that the argument
            is required.
    """
    metadata = {"description": description, "least": least, "most": most, "blank": blank}
    return field(default=default, metadata=metadata)


_LEFT = "_left"
"""Attribute of a reshaped class: the defaults of all removed arguments, including earlier removals."""


def reshaped(
    arguments: type[Any], *, without: Collection[str] = (), more: Mapping[str, Any] = MappingProxyType({})
) -> type[Any]:
    """Return an arguments class without some arguments, which retain their defaults, and with new arguments.

    Args:
        arguments: The attrs class to change.
        without: Names of the removed arguments.
        more: New arguments: fields made with `argument`, keyed by name.
    """
    declared = fields(arguments)
    kept = {
        each.name: field(default=each.default, metadata=each.metadata, type=each.type)
        for each in declared
        if each.name not in without
    }
    left = {each.name: each.default for each in declared if each.name in without}
    left = {**getattr(arguments, _LEFT, {}), **left}
    return make_class(
        arguments.__name__, {**kept, **more}, class_body={**left, _LEFT: left}, frozen=True, kw_only=True
    )


def schema(arguments: type[Any]) -> dict[str, Any]:
    """Return the JSON schema of an arguments class."""
    declared = fields(arguments)
    required = [each.name for each in declared if each.default is NOTHING]
    return {
        "type": "object",
        "properties": {each.name: _property(each) for each in declared},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def structurer(arguments: type[_Arguments]) -> Callable[[Mapping[str, Any]], _Arguments]:
    """Return a function that makes an instance of an arguments class from a client's arguments.

    The function is as lenient as real clients require. An array may be its JSON text, and an integer its digits.
    Null, blank strings and empty arrays count as absent. All other violations of the schema raise `ArgumentError`
    or `InvalidValueError`, with the argument's name, the given value and the allowed values.
    """
    declared = {each.name: each for each in fields(arguments)}  # type: ignore[arg-type] # an attrs class
    kinds = {name: _kind(each) for name, each in declared.items()}

    def structured(given: Mapping[str, Any]) -> _Arguments:
        read = {name: _lenient(kinds[name], value) if name in kinds else value for name, value in given.items()}
        absent: tuple[object, ...] = (None, [], "")
        present = {name: value for name, value in read.items() if name not in declared or value not in absent}
        if unknown := sorted(present.keys() - declared.keys()):
            raise _unknown(unknown[0], given[unknown[0]], list(declared))
        for name, each in declared.items():
            if each.default is NOTHING and name not in present:
                required = f"The argument '{name}' is required and must not be blank."
                raise ArgumentError(each.metadata["blank"] or required)
        return arguments(**{name: _checked(declared[name], kinds[name], value) for name, value in present.items()})

    return structured


def output_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a typed dictionary, of a list of typed dictionaries, or of a scalar (or None)."""
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        return {
            "type": "object",
            "properties": {name: output_schema(each) for name, each in hints.items()},
            "required": [name for name in hints if name in kind.__required_keys__],
            "additionalProperties": False,
        }
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        return {"type": "array", "items": output_schema(item)}
    if isinstance(kind, UnionType):
        return {"type": [_NAMES[each] for each in get_args(kind)]}
    return {"type": _NAMES[kind]}


def shown(data: Any) -> Any:
    """Return data with its hidden characters written out, because some clients give it to the model unchanged."""
    match data:
        case str():
            return visible(data)
        case dict():
            return {name: shown(each) for name, each in data.items()}
        case list():
            return [shown(each) for each in data]
    return data


def _property(declared: "Attribute[Any]") -> dict[str, Any]:
    kind, least, most = _kind(declared), declared.metadata["least"], declared.metadata["most"]
    described: dict[str, Any] = {"description": declared.metadata["description"]}
    if kind is bool:
        described["type"] = "boolean"
    elif kind is int:
        described |= {"type": "integer", "minimum": least, "maximum": most}
    elif kind is str:
        described |= {"type": "string", "minLength": least, "maxLength": most}
    elif issubclass(kind, StrEnum):
        described |= {"type": "string", "enum": [each.value for each in kind]}
    else:
        described |= {"type": "array", "items": {"type": "string"}, "minItems": least, "maxItems": most}
    if declared.default is not NOTHING and declared.default not in (None, (), ""):
        described["default"] = declared.default
    return {name: value for name, value in described.items() if value is not None}


def _kind(declared: "Attribute[Any]") -> type:
    """Return the type of a present argument; for `X | None`, return X."""
    annotated = declared.type
    if isinstance(annotated, UnionType):
        annotated = next(each for each in get_args(annotated) if each is not type(None))
    kind: type = getattr(annotated, "__origin__", annotated) or str
    return kind


def _checked(declared: "Attribute[Any]", kind: type, value: Any) -> Any:
    """Check a client's value against the schema, and convert it to the type of the argument.

    Raises:
        InvalidValueError: The schema forbids the value.
    """
    least, most = declared.metadata["least"], declared.metadata["most"]
    wrong = _wrong_type(kind, value) or _wrong_size(value, least, most)
    if wrong:
        raise InvalidValueError(name=f"'{declared.name}'", given=wrong, allowed=_allowed(kind, least, most))
    return kind(value)


def _wrong_type(kind: type, value: Any) -> str | None:
    """Return `value` as text for an error if its type is wrong; None if its type is `kind`."""
    if kind is tuple:
        right = isinstance(value, list) and all(isinstance(each, str) for each in value)
    elif issubclass(kind, StrEnum):
        right = isinstance(value, str) and value in list(kind)
    else:
        right = type(value) is kind
    return None if right else _echo(value)


def _wrong_size(value: Any, least: int | None, most: int | None) -> str | None:
    """Return the size of a value as text for an error; None if the size is allowed."""
    if type(value) is int:
        fits = (least is None or value >= least) and (most is None or value <= most)
        return None if fits else _echo(value)
    if most is None or isinstance(value, bool) or len(value) <= most:
        return None
    return f"{len(value)} characters" if isinstance(value, str) else f"{len(value)} of them"


def _lenient(kind: type, value: Any) -> Any:
    """Normalise a client's value: trim texts, drop blank strings from arrays, convert digits to numbers."""
    if isinstance(value, str):
        value = trimmed(value) if kind is str else value.strip()
        if kind is int and value.removeprefix("-").isdecimal() and len(value) <= _ECHO_CHARACTERS:
            return int(value)
        if kind is tuple and value.startswith("["):
            with suppress(ValueError, RecursionError):
                value = json.loads(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)  # in JSON Schema, 5.0 is an integer
    if kind is tuple and isinstance(value, list):
        return [each for each in value if not (isinstance(each, str) and not each.strip())]
    return value


def _allowed(kind: type, least: int | None, most: int | None) -> str:
    if kind is bool:
        return "true or false"
    if kind is int and least is None:
        return "an integer"
    if kind is int:
        return f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
    if kind is str:
        return "a string" if most is None else f"a string of at most {most} characters"
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(f"'{each}'" for each in kind)
    return f"an array of at most {most} strings"


def _echo(value: Any) -> str:
    try:
        written = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "something deeply nested"
    return visible(written if len(written) <= _ECHO_CHARACTERS else f"{written[:_ECHO_CHARACTERS]}...")


def _unknown(name: str, value: Any, known: list[str]) -> ArgumentError:
    close = difflib.get_close_matches(name[:_ECHO_CHARACTERS], known, n=1)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    given = f"Unknown argument '{visible(name[:_ECHO_CHARACTERS])}' ({_echo(value)})."
    return ArgumentError(f"{given}{hint} Allowed: {', '.join(known)}.")

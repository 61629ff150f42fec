"""Data that tools return to programs, and the JSON schemas of the data."""

from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from lamella.domain.text.printing import visible

_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def output_schema(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a typed dictionary, of a list of these, or of a scalar or optional scalar."""
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

"""Keys of the places where projects live, and the rule by which a name leads to a project.

Hooks use this module, so it imports next to nothing.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")
_LookUp = Callable[[str], Sequence[_T]]


def key_of_name(name: str) -> str:
    """Return the key of the place where a project lives that was set by `name` and had no memories then."""
    return f"name:{name}"


def storable(key: str) -> str:
    """Return `key` with the bytes that are no UTF-8 spelled out, so that no two keys become equal."""
    return key.encode(errors="backslashreplace").decode()


def key_to_bytes(key: str) -> bytes:
    """Return a key as it is stored: a path need not be UTF-8, and text in a database must be."""
    return key.encode(errors="surrogatepass")


def key_from_bytes(stored: bytes) -> str:
    """Return the key that was stored as these bytes."""
    return stored.decode(errors="surrogatepass")


def named(name: str, *, by_id: _LookUp[_T], by_alias: _LookUp[_T], by_name: _LookUp[_T]) -> Sequence[_T]:
    """Return the projects that a name stands for: an id comes before an alias, an alias before names.

    Args:
        name: Id, alias or name.
        by_id: Returns the projects with an id, at most one.
        by_alias: Returns the projects with an alias, at most one.
        by_name: Returns the projects with a name.
    """
    return by_id(name) or by_alias(name) or by_name(name)

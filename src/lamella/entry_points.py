"""Adapters by the names of their entry points.

Each port has a group of entry points, `lamella.{port}`. Built-in adapters register in the same way as others. Only
chosen ones are imported.
"""

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from lamella.domain.errors import InvalidValueError

AUTO_EMBEDDER = "auto"
"""The embedder setting for the embedder without set-up, if its packages are installed."""

NO_EMBEDDER = "none"
"""The embedder setting without search by meaning."""

_VARIABLES = {"tokenizer": "LAMELLA_TOKENIZER", "embedder": "LAMELLA_EMBEDDER"}
"""Environment variables to choose an adapter, by port. The other ports have no choice."""

_every_entry_point = cache(entry_points)
"""All groups together: reading a single group takes as long, and a process needs several."""


@cache
def _installed(group: str) -> tuple[EntryPoint, ...]:
    return (*_every_entry_point().select(group=group),)


def adapter(port: str, name: str) -> Any:
    """Import and return the adapter registered as `name` for `port`.

    Raises:
        InvalidValueError: The name is not registered.
    """
    return registered(port, name).load()


def names(port: str) -> list[str]:
    """Return the names of all adapters registered for `port`."""
    return sorted(each.name for each in _installed(f"lamella.{port}"))


def is_registered(port: str, name: str) -> bool:
    """Return True if an adapter is registered as `name` for `port`."""
    return any(each.name == name for each in _installed(f"lamella.{port}"))


def registered(port: str, name: str) -> EntryPoint:
    """Return the entry point called `name` of `port`, without importing the adapter.

    Raises:
        InvalidValueError: No adapter is registered under the name.
    """
    known = {each.name: each for each in _installed(f"lamella.{port}")}
    if name in known:
        return known[name]
    names = sorted([*known, AUTO_EMBEDDER, NO_EMBEDDER] if port == "embedder" else known)
    allowed = f"one of {', '.join(names)}"
    if port == "storage":
        # Print the scheme of a URL only: the rest may hold a password.
        raise InvalidValueError(
            name="LAMELLA_STORAGE", given=repr(f"{name}:"), allowed=f"a URL whose scheme is {allowed}"
        )
    raise InvalidValueError(name=_VARIABLES.get(port, port), given=repr(name), allowed=allowed)

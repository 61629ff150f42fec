"""Lookup of adapters by the names of their entry points.

Each port has a group of entry points, `lamella.{port}`. Built-in adapters register in the same way as other
adapters. Built-in adapters are found first. An adapter is imported only when it is chosen.
"""

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lamella.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

AUTO_EMBEDDER = "auto"
"""Value of the setting `embedder` for the built-in embedder, if its packages are installed."""

NO_EMBEDDER = "none"
"""Value of the setting `embedder` to switch off search by meaning."""

_VARIABLES = {"tokenizer": "LAMELLA_TOKENIZER", "embedder": "LAMELLA_EMBEDDER"}
"""Environment variables that choose an adapter, keyed by port. Other ports have no such variable."""


@cache
def _built_in() -> Mapping[tuple[str, str], str]:
    """Return lamella's own entry points, keyed by group and name.

    They are found without `importlib.metadata`, which saves 40 imports in programs that use only built-in
    adapters.
    """
    files = (file for folder in sys.path for file in Path(folder).glob("lamella-*.dist-info/entry_points.txt"))
    found, group = dict[tuple[str, str], str](), ""
    for line in next((file.read_text("utf-8") for file in files), "").splitlines():
        name, equals, value = line.partition(" = ")
        if equals:
            found[group, name] = value
        else:
            group = line.strip("[]")
    return found


@cache
def _installed(group: str) -> "tuple[EntryPoint, ...]":
    from importlib.metadata import entry_points  # noqa: PLC0415 - it is large, and built-in adapters do without

    return (*entry_points(group=group),)


def adapter(port: str, name: str) -> Any:
    """Import and return the adapter registered as `name` for `port`.

    Raises:
        InvalidValueError: The name is not registered.
    """
    built_in = _built_in().get((f"lamella.{port}", name))
    if built_in is None:
        return registered(port, name).load()
    module, _, attribute = built_in.partition(":")
    return attrgetter(attribute)(import_module(module))


def names(port: str) -> list[str]:
    """Return the names of all adapters registered for `port`."""
    return sorted(each.name for each in _installed(f"lamella.{port}"))


def is_registered(port: str, name: str) -> bool:
    """Return True if an adapter is registered as `name` for `port`."""
    group = f"lamella.{port}"
    return (group, name) in _built_in() or any(each.name == name for each in _installed(group))


def registered(port: str, name: str) -> "EntryPoint":
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

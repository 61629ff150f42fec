"""Lazy packages. A stub file lists the names of a package. Each name is imported on its first use."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path


@cache
def offered(package: str) -> Mapping[str, str]:
    """Return the modules that define the names in a package's stub, keyed by name."""
    (folder,) = import_module(package).__path__
    lines = map(str.split, Path(folder, "__init__.pyi").read_text("utf-8").splitlines())
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


def attribute(package: str, name: str) -> object:
    """Import a name of a package.

    Raises:
        AttributeError: The package has no such name.
    """
    if name not in offered(package):
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(offered(package)[name]), name)

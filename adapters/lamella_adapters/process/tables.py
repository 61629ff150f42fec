"""Texts and tables of the package: TOML files beside their modules."""

import tomllib
from pathlib import Path
from typing import Any


def table(module: str, name: str) -> dict[str, Any]:
    """Return the content of `{name}.toml` in the folder of a module, given the module's `__file__`."""
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text("utf-8"))

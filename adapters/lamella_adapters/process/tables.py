"""Texts and tables that come with the package, as TOML files beside the modules that use them."""

import tomllib
from pathlib import Path
from typing import Any


def table(module: str, name: str) -> dict[str, Any]:
    """Return the content of `{name}.toml` beside a module, given the module's `__file__`."""
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text("utf-8"))

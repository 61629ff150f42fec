"""Texts and tables of the package: TOML files beside their modules."""

import tomllib
from pathlib import Path
from typing import Any


def sentences(module: str, name: str, /, **values: object) -> dict[str, str]:
    """Return the texts of an error, such as its reason and advice, from the table `name` of `errors.toml`.

    The file is in the folder of the module.

    Args:
        module: `__file__` of the module.
        name: Name of the table.
        **values: Values of the placeholders in the table's texts.
    """
    return {key: text.format(**values) for key, text in table(module, "errors")[name].items()}


def table(module: str, name: str) -> dict[str, Any]:
    """Return the content of `{name}.toml` in the folder of a module, given the module's `__file__`."""
    return tomllib.loads(Path(module).with_name(f"{name}.toml").read_text("utf-8"))

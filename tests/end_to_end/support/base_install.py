"""Processes of the base installation, which can't import the packages of the extra `semantic`."""

from collections.abc import Mapping
from pathlib import Path

from lamella_adapters.embedders import PACKAGES


def base_install(folder: Path) -> Mapping[str, str]:
    """Return the settings for new processes of the base installation."""
    hiding = folder / "base-install"
    hiding.mkdir()
    program = f"import sys\n\nsys.modules.update(dict.fromkeys({PACKAGES!r}))\n"
    (hiding / "sitecustomize.py").write_text(program, encoding="utf-8")
    return {"PYTHONPATH": str(hiding), "LAMELLA_EMBEDDER": ""}

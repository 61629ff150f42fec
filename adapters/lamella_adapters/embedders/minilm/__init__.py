"""The model of the extra `semantic`, all-MiniLM-L6-v2: locating and fetching it.

The graph in this folder refers to the published file of weights, so the published file is used unchanged.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

NAME: Final = "all-MiniLM-L6-v2"
GRAPH: Final = "model.onnx"

PACKAGE: Final = "lamella_minilm"
"""Name of a package with the same files. Some machines can install packages, but not download models."""


def own_folder(data_directory: Path) -> Path:
    """Return the folder for the downloaded model in the data directory."""
    return data_directory / "models" / NAME


def installed_folder(data_directory: Path) -> Path | None:
    """Return the folder of the downloaded model, or else of the installed package; None without both."""
    if (own_folder(data_directory) / GRAPH).is_file():
        return own_folder(data_directory)
    spec = find_spec(PACKAGE)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent

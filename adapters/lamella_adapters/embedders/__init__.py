"""Embedders: models for turning texts into vectors. The packages of an embedder are imported on demand."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella.ports.embedder import Embedder
from lamella_adapters.embedders.minilm import installed_folder
from lamella_adapters.process.tables import sentences

__all__ = ["PACKAGES", "installed_embedder", "open_onnx"]

PACKAGES = ("numpy", "onnxruntime", "tokenizers")
"""Packages of the extra `semantic` required by every embedder."""


def installed_embedder(data_directory: Path) -> str | None:
    """Return the setting of the installed model; None if the model or a required package is missing.

    Packages are only located, because importing them would take a third of a second.
    """
    found = map(find_spec, PACKAGES)
    # A folder with the package's name also has a spec, but no origin.
    if not all(spec is not None and spec.origin is not None for spec in found):
        return None
    folder = installed_folder(data_directory)
    return None if folder is None else f"onnx:{folder}"


def open_onnx(setting: str) -> Embedder:
    """Return the ONNX model of the setting `onnx:FOLDER` or, from the hub, `onnx:ORGANISATION/NAME`.

    An existing folder takes precedence over the hub.

    Raises:
        EmbedderUnavailableError: The packages of the extra `semantic` are missing, or the model can't be used.
    """
    with _translated():
        from lamella_adapters.embedders.onnx import OnnxEmbedder  # noqa: PLC0415 - only this embedder needs it
        from lamella_adapters.embedders.onnx_folder import model_folder  # noqa: PLC0415 - only this embedder needs it

        return OnnxEmbedder(model_folder(setting))


@contextmanager
def _translated() -> Iterator[None]:
    """Turn a failed import within the block into advice on which extra of lamella to install."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "a package").partition(".")[0]
        raise EmbedderUnavailableError(**sentences(__file__, "package", package=package)) from error

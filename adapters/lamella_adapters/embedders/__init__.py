"""Embedders: models that turn texts into vectors. The packages of one are imported when it is chosen."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from lamella.domain.errors import EmbedderUnavailableError
from lamella.ports.embedder import Embedder

__all__ = ["STATIC_PACKAGES", "installed_embedder", "open_onnx", "open_static"]

STATIC_PACKAGES = ("numpy", "tokenizers", "wordllama")
"""Packages of the extra `semantic` that the static embedder can't do without."""


def installed_embedder() -> str | None:
    """Return the setting of the embedder that needs no set-up, `static`, or None if its packages are missing.

    They are found and not imported, which would take a third of a second.
    """
    found = map(find_spec, STATIC_PACKAGES)
    # A folder of the same name has a spec too, but no origin.
    return "static" if all(spec is not None and spec.origin is not None for spec in found) else None


def open_static(setting: str) -> Embedder:
    """Return the embedder with static word vectors; the setting `static` takes no options.

    Raises:
        EmbedderUnavailableError: The packages of the extra `semantic` are missing, or the vectors can't be read.
    """
    del setting
    with _installed_by("semantic"):
        from lamella_adapters.embedders.static import StaticEmbedder  # noqa: PLC0415 - only where it is chosen

        return StaticEmbedder()


def open_onnx(setting: str) -> Embedder:
    """Return the ONNX model of the setting `onnx:FOLDER` or, from the hub, `onnx:ORGANISATION/NAME`.

    An existing folder takes precedence over the hub.

    Raises:
        EmbedderUnavailableError: The packages of the extra `onnx` are missing, or the model can't be used.
    """
    with _installed_by("onnx"):
        from lamella_adapters.embedders.onnx import OnnxEmbedder  # noqa: PLC0415 - same
        from lamella_adapters.embedders.onnx_folder import model_folder  # noqa: PLC0415 - only where it is chosen

        return OnnxEmbedder(model_folder(setting))


@contextmanager
def _installed_by(extra: str) -> Iterator[None]:
    """Translate a failing import into an error that names the extra of lamella to install."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "a package").partition(".")[0]
        raise EmbedderUnavailableError(
            reason=f"The embedder of LAMELLA_EMBEDDER needs {package}, which can't be imported.",
            advice=f"Install lamella again with its extra {extra}, as its README shows.",
        ) from error

"""Models of the Hugging Face hub: the only module that uses the network, and only until a model was fetched."""

from pathlib import Path
from typing import Final

from huggingface_hub import get_cached_repo_tree, snapshot_download
from huggingface_hub.errors import (
    CachedRepoTreeNotFoundError,
    IncompleteSnapshotError,
    LocalEntryNotFoundError,
)

from lamella.domain.errors import EmbedderUnavailableError
from lamella_adapters.embedders.onnx import GRAPHS, LIMITS, PARTS, POOLING, TOKENIZER

_WANTED: Final = (*(f"{name}*" for name in GRAPHS), TOKENIZER, LIMITS, POOLING, PARTS)
"""What is fetched of a model. Large ones keep their weights beside the graph, as in `model.onnx_data`."""


def fetched(name: str) -> Path:
    """The folder of the model that the hub calls `name`.

    One that was fetched before is used as it is, and the hub isn't asked, so that no start waits for the network
    and no newer version changes the vectors unasked. What is missing of one whose fetching was broken off, or of
    which another program wanted less, is fetched.

    Raises:
        EmbedderUnavailableError: it was never fetched, or not all of it, and the hub doesn't answer or has none.
    """
    try:
        return _kept(name)
    except (CachedRepoTreeNotFoundError, LocalEntryNotFoundError):
        pass
    try:
        return _snapshot(name)
    except IncompleteSnapshotError as error:
        raise EmbedderUnavailableError(
            reason=f"Fetching {name} was broken off, and the hub doesn't give the rest.",
            advice="Check the network, or set LAMELLA_EMBEDDER to onnx:FOLDER.",
        ) from error
    except Exception as error:  # the client lets errors of its HTTP library through, whichever that is
        raise EmbedderUnavailableError(
            reason=f"No folder is called {name}, and the hub gave no model of that name.",
            advice="Check the name in LAMELLA_EMBEDDER and the network, or set it to onnx:FOLDER.",
        ) from error


def _kept(name: str) -> Path:
    """The model as it was fetched before.

    Raises:
        CachedRepoTreeNotFoundError: the client doesn't know what belongs to it.
        LocalEntryNotFoundError: some of that is missing.
    """
    get_cached_repo_tree(name)
    return _snapshot(name, local_files_only=True)


def _snapshot(name: str, *, local_files_only: bool = False) -> Path:
    return Path(snapshot_download(name, allow_patterns=list(_WANTED), local_files_only=local_files_only))

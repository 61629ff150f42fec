"""Models from the Hugging Face hub.

This module uses the network only to fetch a model.
"""

from pathlib import Path
from typing import Final

from huggingface_hub import get_cached_repo_tree, snapshot_download
from huggingface_hub.errors import CachedRepoTreeNotFoundError, IncompleteSnapshotError, LocalEntryNotFoundError

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders.onnx import GRAPHS, LIMITS, PARTS, POOLING, TOKENIZER
from lamella_adapters.process.tables import sentences

_WANTED: Final = (*(f"{name}*" for name in GRAPHS), TOKENIZER, LIMITS, POOLING, PARTS)
"""Patterns of the files to fetch. Large models keep weights in a separate file, such as `model.onnx_data`."""


def fetched(name: str) -> Path:
    """Return the folder of the hub's model `name`, after fetching missing files.

    If all files of the model are in the cache, the hub isn't asked. So a start never waits for the network, and a
    newer version of the model can't change vectors unnoticed. Files are missing if fetching was interrupted, or if
    another program fetched only some of them.

    Raises:
        EmbedderUnavailableError: Files are missing, and the hub doesn't answer or has no such model.
    """
    try:
        get_cached_repo_tree(name)  # raises an error without a cached list of the model's files
        return _snapshot(name, local_files_only=True)
    except (CachedRepoTreeNotFoundError, LocalEntryNotFoundError):
        pass
    try:
        return _snapshot(name)
    except IncompleteSnapshotError as error:
        raise EmbedderUnavailableError(**sentences(__file__, "interrupted", name=name)) from error
    except Exception as error:  # the client also raises errors of its HTTP library, which may change
        raise EmbedderUnavailableError(**sentences(__file__, "unknown", name=name)) from error


def _snapshot(name: str, *, local_files_only: bool = False) -> Path:
    return Path(snapshot_download(name, allow_patterns=list(_WANTED), local_files_only=local_files_only))

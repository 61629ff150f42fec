"""Models of the Hugging Face hub: the only module that uses the network, and only until a model was fetched."""

from pathlib import Path
from typing import Final

from huggingface_hub import snapshot_download
from huggingface_hub.errors import LocalEntryNotFoundError

from lamella.domain.errors import EmbedderUnavailableError
from lamella_adapters.embedders.onnx import GRAPHS, LIMITS, PARTS, POOLING, TOKENIZER

_WANTED: Final = (*(f"{name}*" for name in GRAPHS), TOKENIZER, LIMITS, POOLING, PARTS)
"""What is fetched of a model. Large ones keep their weights beside the graph, as in `model.onnx_data`."""


def fetched(name: str) -> Path:
    """The folder of the model that the hub calls `name`.

    One that was fetched before is used as it is, and the hub isn't asked, so that no start waits for the network
    and no newer version changes the vectors unasked.

    Raises:
        EmbedderUnavailableError: it was never fetched, and the hub doesn't answer or has none.
    """
    try:
        return Path(snapshot_download(name, allow_patterns=list(_WANTED), local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=list(_WANTED)))
    except Exception as error:  # the client lets errors of its HTTP library through, whichever that is
        raise EmbedderUnavailableError(
            reason=f"No folder is called {name}, and the hub gave no model of that name.",
            advice="Check the name in LAMELLA_EMBEDDER and the network, or set it to onnx:FOLDER.",
        ) from error

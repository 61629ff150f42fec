"""Which folder a setting `onnx:…` means."""

import re
from pathlib import Path
from typing import Final

from lamella.domain.errors import EmbedderUnavailableError

_ON_THE_HUB: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+", re.ASCII)
"""What the hub calls a model. A path with more or no slashes, or one from `/`, `~` or `.` on, is none."""


def model_folder(setting: str) -> Path:
    """The folder of the model: one of this machine, or else what the hub has under that name.

    Where the first part is a folder of this machine, the whole is a path with a mistake in it, and no name of a
    model: the hub is not asked, for nobody wants it to hear of paths.

    Raises:
        EmbedderUnavailableError: there is no such folder, and the hub can't help.
    """
    named = setting.partition(":")[2].strip()
    folder = _local(named)
    if named and _is_folder(folder):
        return folder
    if _ON_THE_HUB.fullmatch(named) and not _is_folder(folder.parent):
        return _fetched(named)
    raise EmbedderUnavailableError(
        reason="LAMELLA_EMBEDDER names no folder that exists.",
        advice="Set it to onnx:FOLDER, a folder with model.onnx and tokenizer.json, or to onnx:ORGANISATION/NAME.",
    )


def _fetched(name: str) -> Path:
    try:
        from lamella_adapters.embedders.hub import fetched  # noqa: PLC0415 - never for a folder of this machine
    except ImportError as error:
        raise EmbedderUnavailableError(
            reason=f"No folder is called {name}, and to ask the hub for a model of that name needs"
            " huggingface-hub, which can't be imported.",
            advice='Set LAMELLA_EMBEDDER to onnx:FOLDER, or install it with: pip install "lamella[onnx]"',
        ) from error
    return fetched(name)


def _local(named: str) -> Path:
    try:
        return Path(named).expanduser()
    except RuntimeError:  # in the home of an unknown user
        return Path(named)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # longer than any name can be
        return False

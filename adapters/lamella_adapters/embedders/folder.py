"""Which folder a setting `onnx:…` means."""

import re
from pathlib import Path
from typing import Final

from lamella.domain.errors import EmbedderUnavailableError

_ON_THE_HUB: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+", re.ASCII)
"""What the hub calls a model. A path with more or no slashes, or one from `/`, `~` or `.` on, is none."""


def model_folder(setting: str) -> Path:
    """The folder of the model: one of this machine, or else what the hub has under that name.

    Raises:
        EmbedderUnavailableError: there is no such folder, and the hub can't help.
        ImportError: the package that asks the hub is not installed.
    """
    named = setting.partition(":")[2].strip()
    folder = _local(named)
    if named and folder.is_dir():
        return folder
    if _ON_THE_HUB.fullmatch(named):
        from lamella_adapters.embedders.hub import fetched  # noqa: PLC0415 - never for a folder of this machine

        return fetched(named)
    raise EmbedderUnavailableError(
        reason="LAMELLA_EMBEDDER names no folder that exists.",
        advice="Set it to onnx:FOLDER, a folder with model.onnx and tokenizer.json, or to onnx:ORGANISATION/NAME.",
    )


def _local(named: str) -> Path:
    try:
        return Path(named).expanduser()
    except RuntimeError:  # in the home of an unknown user
        return Path(named)

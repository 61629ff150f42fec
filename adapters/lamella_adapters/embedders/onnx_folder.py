"""Find or download the folder of the model that a setting `onnx:…` names."""

# ruff: noqa: PTH111, PTH112 - pathlib raises for an unknown user, and for a name too long for a path

import os
import re
from pathlib import Path
from typing import Final

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.process.tables import sentences

_ON_THE_HUB: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+", re.ASCII)
"""Pattern of model names on the hub: exactly one slash, and no `/`, `~` or `.` at the beginning."""


def model_folder(setting: str) -> Path:
    """Return the folder of the model: a local folder, or else a folder fetched from the hub.

    If the part before the slash is a local folder, the setting is probably a mistyped path. In this case, the hub
    is not asked, because private paths must not be sent to the hub.

    Raises:
        EmbedderUnavailableError: The folder doesn't exist, and no model can be fetched.
    """
    named = setting.partition(":")[2].strip()
    folder = os.path.expanduser(named)
    if named and os.path.isdir(folder):
        return Path(folder)
    if _ON_THE_HUB.fullmatch(named) and not os.path.isdir(Path(folder).parent):
        return _fetched(named)
    raise EmbedderUnavailableError(**sentences(__file__, "folder"))


def _fetched(name: str) -> Path:
    try:
        from lamella_adapters.embedders.hub import fetched  # noqa: PLC0415 - local folders don't need it
    except ImportError as error:
        raise EmbedderUnavailableError(**sentences(__file__, "hub", name=name)) from error
    return fetched(name)

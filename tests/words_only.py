"""Settings of a test that isn't about meaning: it loads no model."""

from collections.abc import Mapping
from typing import Final

WORDS_ONLY: Final[Mapping[str, str]] = {"LAMELLA_EMBEDDER": "none"}

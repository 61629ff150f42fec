"""Settings of a test that is about neither meaning nor commits: it loads no model and learns nothing."""

from collections.abc import Mapping
from typing import Final

WORDS_ONLY: Final[Mapping[str, str]] = {"LAMELLA_EMBEDDER": "none", "LAMELLA_LEARN_COMMITS": "off"}

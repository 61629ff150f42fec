"""Settings for the contract suites over our own adapters."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.storage.worker import unsynced_folder
from tests.patient import patience

__all__ = ["patience"]


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder of which no file waits for a disk."""
    with unsynced_folder() as folder:
        yield folder

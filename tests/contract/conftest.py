"""Settings for the contract suites over our own adapters."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lamella_adapters.postgresql.database import connection, database
from tests.end_to_end.storage.worker import unsynced_folder
from tests.patient import patience
from tests.waiting import HANG_SECONDS

__all__ = ["patience"]

POSTGRES_LIMITS = (
    (connection, "DEADLINE"),
    (connection.PatientConnection, "deadline"),
    (database, "_PATIENCE"),
    (database, "_QUEUE_SECONDS"),
    (database, "_STATEMENT_SECONDS"),
    (database, "_IDLE_SECONDS"),
)
"""What ends a call where a server or its client stands still for seconds, as on a loaded machine."""


@pytest.fixture(autouse=True)
def _patience_with_servers() -> Iterator[None]:
    """Wait for servers, and let them wait for this process, as `patience` does with other processes."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, limit in POSTGRES_LIMITS:
            patch.setattr(owner, limit, int(HANG_SECONDS))
        yield


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """Return a folder whose files are never synced to a disk."""
    with unsynced_folder() as folder:
        yield folder

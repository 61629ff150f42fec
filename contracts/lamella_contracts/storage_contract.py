"""Base of the contracts of a storage adapter."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lamella_contracts.contract import Contract, opened
from lamella_contracts.fixtures.project import ProjectFixture, location_named
from lamella_contracts.hooks import StorageHooks


class StorageContract(StorageHooks, Contract):
    """Base of the contracts of an open storage."""

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Any]:
        """Open a storage in `folder`, yield an empty project of it, and close it afterwards."""
        reopen = partial(self.open_storage, folder)
        project = ProjectFixture(reopen, reopen(), location_named("project"), folder)
        try:
            yield project
        finally:
            self.close_storage(project.storage)

    project = pytest.fixture(opened)

"""Base of the contracts of a storage adapter."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lamella.ports.storage.storage import Storage
from lamella_contracts.contract import Contract
from lamella_contracts.fixtures.project import ProjectFixture, location_named
from lamella_contracts.hooks import StorageHooks


class StorageContract(StorageHooks, Contract):
    """Base of the contracts that test an open storage."""

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Any]:
        """Open a storage in `folder`, yield an empty project of it, and close it afterwards."""

        def opened() -> Storage:
            return self.open_storage(folder)

        project = ProjectFixture(opened, opened(), location_named("project"), folder)
        try:
            yield project
        finally:
            self.close_storage(project.storage)

    @pytest.fixture
    def project(self, tmp_path: Path) -> Iterator[ProjectFixture]:
        """Yield an empty project of the storage under test."""
        with StorageContract.subject(self, tmp_path) as project:
            yield project

"""Base of the contracts of a storage adapter."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lamella.ports.storage.storage import Storage
from lamella_contracts.contract import Contract
from lamella_contracts.fixtures.project import ProjectFixture, location_named


class StorageContract(Contract):
    """Base of the contracts that test an open storage."""

    def open_storage(self, tmp_path: Path) -> Storage:
        """Open the storage under test; subclasses define this.

        A second call with the same folder must open the same storage again, as after a restart.

        Args:
            tmp_path: Folder that only this clause uses, empty at the first call. An adapter without files may
                ignore it, or derive the name of a scratch database from it.

        Returns:
            The open storage; the contract closes it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define open_storage(self, tmp_path).")

    @contextmanager
    def subject(self, folder: Path) -> Iterator[ProjectFixture]:
        """Open a storage in `folder`, yield an empty project of it, and close it afterwards."""

        def opened() -> Storage:
            return self.open_storage(folder)

        project = ProjectFixture(opened, opened(), location_named("project"), folder)
        try:
            yield project
        finally:
            project.storage.close()

    @pytest.fixture
    def project(self, tmp_path: Path) -> Iterator[ProjectFixture]:
        """Yield an empty project of the storage under test."""
        with self.subject(tmp_path) as project:
            yield project

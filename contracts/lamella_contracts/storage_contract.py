"""What the three contracts of a storage adapter have in common."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lamella.ports.storage.storage import Storage
from lamella_contracts.contract import Contract
from lamella_contracts.fixtures.project import Notebook, place


class StorageContract(Contract):
    """Base of the contracts that a storage is opened for."""

    def open_storage(self, tmp_path: Path) -> Storage:
        """Opens the storage under test at `tmp_path`, an empty folder of the clause's own.

        A second call with the same folder opens the same storage again, as after a restart. An adapter that
        keeps nothing in files may ignore it, or derive the name of a scratch database from it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define open_storage(self, tmp_path).")

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Notebook]:
        """A notebook for an empty project, at a storage opened in `folder`."""

        def opened() -> Storage:
            return self.open_storage(folder)

        notebook = Notebook(opened, opened(), place("notebook"), folder)
        try:
            yield notebook
        finally:
            notebook.storage.close()

    @pytest.fixture
    def notebook(self, tmp_path: Path) -> Iterator[Notebook]:
        """An empty project of the storage under test."""
        with self.subject(tmp_path) as notebook:
            yield notebook

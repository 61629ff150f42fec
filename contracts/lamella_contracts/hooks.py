"""Methods that the author of a storage writes: one required method, and optional methods."""

from pathlib import Path
from typing import NoReturn

import pytest

from lamella.ports.storage.storage import Storage


def _skip(hook: str, purpose: str) -> NoReturn:
    pytest.skip(f"{hook} is not defined, which {purpose}: see `lamella_contracts.hooks`")


class StorageHooks:
    """Methods that a subclass of a storage contract defines. All but `open_storage` are optional.

    Clauses that need a missing hook are skipped.

    Example:
        >>> from lamella_adapters.memory import InMemoryStorage
        >>> from lamella_contracts import ObservationStorageContract
        >>> class TestMyStorage(ObservationStorageContract):
        ...     def open_storage(self, tmp_path):
        ...         return InMemoryStorage()
        >>> TestMyStorage().open_storage(Path("unused")).close()
    """

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

    def close_storage(self, storage: Storage) -> None:
        """Close the storage at the end of a clause, and drop or empty its data on a server.

        Args:
            storage: The last opened storage. It may be closed already.
        """
        storage.close()

    def break_connection(self, storage: Storage) -> None:
        """Break the connections of a storage, like a restarted server. The next call must fail.

        If the storage reconnects by itself, refuse one connection, so that the next call fails anyway.

        Args:
            storage: The open storage. After the failed call, it must work again within a few calls.
        """
        del storage
        _skip("break_connection", "makes the next call of a storage fail")

    def lose_answer(self, storage: Storage) -> None:
        """Make a storage lose its connection in the next save, after the commit was sent.

        Statements before the commit must be answered as usual.

        Args:
            storage: The open storage. The server may or may not perform the commit.
        """
        del storage
        _skip("lose_answer", "loses the answer to the next commit")

    def opening_code(self, tmp_path: Path) -> str:
        """Return Python code for another process. It opens the storage of a folder as a variable `storage`.

        Args:
            tmp_path: The folder given to `open_storage`.

        Example:
            >>> from lamella_contracts import ObservationStorageContract
            >>> class TestMyStorage(ObservationStorageContract):
            ...     def opening_code(self, tmp_path):
            ...         return f"from my_package import MyStorage; storage = MyStorage({str(tmp_path)!r})"
            >>> TestMyStorage().opening_code(Path("/tmp/one"))
            "from my_package import MyStorage; storage = MyStorage('/tmp/one')"
        """
        del tmp_path
        _skip("opening_code", "opens the storage in a process that is killed")

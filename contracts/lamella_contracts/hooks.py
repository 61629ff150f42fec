"""Methods that an author of a storage writes: one, and optional hooks for what a contract cannot do by itself."""

from pathlib import Path
from typing import NoReturn

import pytest

from lamella.ports.storage.storage import Storage


def _skip(hook: str, purpose: str) -> NoReturn:
    pytest.skip(f"{hook} is not defined, which {purpose}: see `lamella_contracts.hooks`")


class StorageHooks:
    """The methods that a subclass of a storage's contract may define. All but `open_storage` are optional.

    A clause that needs a hook is skipped without it.
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
        """Close the storage at the end of a clause, and drop or empty what it leaves on a server.

        Args:
            storage: The storage that was opened last. It may be closed already.
        """
        storage.close()

    def break_connection(self, storage: Storage) -> None:
        """Break the connections of a storage, as a server does that is restarted, so that its next call fails.

        It fails even if the storage would connect again by itself: refuse it one connection then.

        Args:
            storage: The open storage. Calls after the next one may work again, after a few attempts.
        """
        del storage
        _skip("break_connection", "makes the next call of a storage fail")

    def lose_answer(self, storage: Storage) -> None:
        """Make a storage lose its connection in its next save, after the commit was sent.

        What the save does before its commit must be answered as usual.

        Args:
            storage: The open storage. Whether the commit is done on the server does not matter.
        """
        del storage
        _skip("lose_answer", "loses the answer to the next commit")

    def opening_code(self, tmp_path: Path) -> str:
        """Return Python that opens the storage of a folder in another process, and calls it `storage`.

        Args:
            tmp_path: The folder that `open_storage` was called with.
        """
        del tmp_path
        _skip("opening_code", "opens the storage in a process that is killed")

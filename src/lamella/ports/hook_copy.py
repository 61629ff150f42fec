"""Port of a local copy of the storage, for hooks that can't read the storage itself.

An opener is registered in the group `lamella.hook_copy`, under the scheme of the storage's URL, as a callable. It
takes the URL and the data directory. The reads of the copy are registered in `lamella.hook_reads` under the same
scheme, and find projects by their locations alone. Each URL has its own copy on each machine, so a copy never has
another tenant's data. It is readable only for the user. If it is deleted, it is rebuilt.

Several processes may update one copy simultaneously. Any thread may call any method.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

from attrs import field, frozen

from lamella.domain.audit.entry import Signature
from lamella.ports.storage.feed import Change, FeedState, Mark


@frozen
class Copied:
    """State of a project in the copy.

    Attributes:
        mark: Position in the change feed. All earlier changes are copied.
        revision: Revision of the project that the copy equals; None while changes are missing.
    """

    mark: Mark = field(factory=Mark)
    revision: int | None = None


class HookCopy(Protocol):
    """Copy of the projects with locations on this machine.

    Attributes:
        folder: Folder of the copy, readable as a storage of SQLite.
    """

    folder: Path

    @abstractmethod
    def places(self) -> Mapping[str, str]:
        """Return the ids of projects by the keys of their locations."""

    @abstractmethod
    def lead(self, places: Mapping[str, FeedState | None]) -> None:
        """Record the projects of locations. Delete a project's copy if no location leads to it any more.

        Args:
            places: Ids of projects by the keys of their locations; None for a location without a project.
                Locations that are not in `places` stay.

        Raises:
            StorageError: The copy can't be written.
        """

    @abstractmethod
    def copied(self, project: str) -> Copied:
        """Return the state of a project's copy."""

    @abstractmethod
    def put(self, project: str, changes: Sequence[Change]) -> None:
        """Store observations in one transaction, replacing observations with the same ids."""

    @abstractmethod
    def ids(self, project: str) -> Sequence[UUID]:
        """Return the ids of the copied observations."""

    @abstractmethod
    def erase(self, project: str, ids: Sequence[UUID], *, by: Signature) -> None:
        """Delete observations without leaving any bytes on disk.

        Raises:
            UnfinishedEraseError: The observations are deleted, but their bytes may remain on disk.
        """

    @abstractmethod
    def settle(self, project: str, revision: int) -> None:
        """Record that the copy equals the project at a revision. From now on, hooks read the copy."""

    @abstractmethod
    def refresh(self, now: datetime) -> None:
        """Record the time of a complete comparison. Delete copies of other URLs if they weren't used lately."""

    @abstractmethod
    def refreshed(self) -> datetime | None:
        """Return the time of the last complete comparison, None if there is none."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources. The copy stays."""


OpenHookCopy = Callable[[str, Path], HookCopy]
"""Opens the copy of the storage at a URL, in a data directory. Creates files only when needed."""

"""Port of a local copy of the storage, for hooks that can't read the storage itself.

A callable that opens the copy is registered in the group `lamella.hook_copy`, under the scheme of the storage's
URL. It takes the URL and the data directory. Hooks open the copy with the callable in `lamella.hook_reads` under
the same scheme. In the copy, projects are found only by their locations.

Each URL has its own copy on each machine, so a copy never contains another tenant's data. Only the user can read
the copy. A deleted copy is rebuilt.

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
        mark: Position in the change feed. All changes up to this position are copied.
        revision: Revision of the project, if the copy has all changes up to this revision. None while the copy
            lacks changes.
    """

    mark: Mark = field(factory=Mark)
    revision: int | None = None


class HookCopy(Protocol):
    """Copy of the projects that have locations on this machine.

    Attributes:
        folder: Folder of the copy. It can be opened as a SQLite storage.
    """

    folder: Path

    @abstractmethod
    def places(self) -> Mapping[str, str]:
        """Return project ids, keyed by location key."""

    @abstractmethod
    def lead(self, places: Mapping[str, FeedState | None]) -> None:
        """Assign projects to locations. Delete the copies of projects that no longer have a location.

        Args:
            places: States of projects, keyed by location key. The value is None if the location has no project.
                Other locations keep their projects.

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
        """Record that the copy has all changes up to `revision`. From now on, hooks read the copy."""

    @abstractmethod
    def refresh(self, now: datetime) -> None:
        """Record that the copy was completely compared with the storage at `now`.

        Delete the copies of storages at other URLs if they weren't used lately.
        """

    @abstractmethod
    def refreshed(self) -> datetime | None:
        """Return the time of the last complete comparison; None before the first comparison."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources. The copy stays."""


OpenHookCopy = Callable[[str, Path], HookCopy]
"""Function that opens the copy for the URL of a storage and the data directory. Files are created when needed."""

"""Port of the copy read by hooks if they can't read the storage itself.

An opener is registered in the group `lamella.hook_copy`, under the scheme of the storage's URL, as a callable. It
takes the URL and the data directory. The reads of the copy are registered in `lamella.hook_reads` under the same
scheme, and find projects by their places alone. A copy belongs to one URL on one machine, so it has nothing of
another tenant. It is private to the user, and can be deleted at any time: it is made anew.

Several processes may maintain one copy simultaneously. Any thread may call any method.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

from attrs import field, frozen

from lamella.domain.audit.signature import Signature
from lamella.ports.storage.feed import Change, FeedState, Mark


@frozen
class Copied:
    """State of a project in the copy.

    Attributes:
        mark: Place in the feed up to which it has all changes.
        revision: Revision of the project that it is equal to; None while changes are missing.
    """

    mark: Mark = field(factory=Mark)
    revision: int | None = None


class HookCopy(Protocol):
    """Copy of the projects with places on this machine."""

    @abstractmethod
    def places(self) -> Mapping[str, str]:
        """Return the ids of projects by the keys of their places."""

    @abstractmethod
    def lead(self, places: Mapping[str, FeedState | None]) -> None:
        """Assign places to projects, or to none. A project without places is deleted.

        Args:
            places: Projects by the keys of places; None for a place without one. Other places stay.

        Raises:
            StorageError: The copy can't be written.
        """

    @abstractmethod
    def copied(self, project: str) -> Copied:
        """Return the copied extent of a project."""

    @abstractmethod
    def put(self, project: str, changes: Sequence[Change]) -> None:
        """Store observations in one transaction, replacing ones with the same ids."""

    @abstractmethod
    def ids(self, project: str) -> Sequence[UUID]:
        """Return the ids of the copied observations."""

    @abstractmethod
    def erase(self, project: str, ids: Sequence[UUID], *, by: Signature) -> None:
        """Delete observations, leaving no byte of them.

        Raises:
            UnfinishedEraseError: They are deleted, but bytes of them may remain.
        """

    @abstractmethod
    def settle(self, project: str, revision: int) -> None:
        """Mark the copy of a project as equal to it at a revision. Hooks read it from now on."""

    @abstractmethod
    def refresh(self, now: datetime) -> None:
        """Note the time of a complete comparison. Delete copies of other URLs long out of use."""

    @abstractmethod
    def refreshed(self) -> datetime | None:
        """Return the time of the last complete comparison, None without one."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources. The copy stays."""


OpenHookCopy = Callable[[str, Path], HookCopy]
"""Opens the copy of the storage at a URL, given the data directory too. It creates files only on demand."""

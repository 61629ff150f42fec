"""Backups: verified copies of projects, and their restore.

A storage needn't support backups if its database is backed up by other means.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from lamella.domain.validation import aware


class Label(StrEnum):
    """Reason for making a copy."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MANUAL = "manual"
    REPLACED = "replaced"
    """Copy made by a restore, of the state that it replaced."""
    OTHER = "other"
    """Copy made before a migration, or in place of an older copy with erased text."""


@frozen(kw_only=True)
class Copy:
    """One copy of a project.

    Attributes:
        name: Name of the copy in this storage.
        project: Id of the project.
        label: Reason for making the copy.
        at: Time when the copy was made.
        size: Bytes on disk.
        place: Location of the copy, for display.
    """

    name: str
    project: str
    label: Label
    at: datetime = field(validator=aware)
    size: int
    place: str


@frozen(kw_only=True)
class Held:
    """Size of a project in a backup. The number of memories includes purged memories."""

    memories: int = 0
    messages: int = 0


@frozen(kw_only=True)
class Archived:
    """One project in a backup file."""

    project: str
    name: str
    held: Held


@frozen(kw_only=True)
class Difference:
    """Live memories that exist in only one of two states.

    `count` is the number of these memories. `titles` has the titles of some, newest first.
    """

    count: int = 0
    titles: tuple[str, ...] = ()


@frozen(kw_only=True)
class Preview:
    """Preview of a restore of one project. Only live memories count.

    Attributes:
        project: Id of the project.
        name: Name of the project.
        now: Current number of memories; None if the project is missing, or can't be read.
        then: Number of memories in the backup.
        gone: Memories that the restore would remove.
        back: Memories that the restore would bring back.
    """

    project: str
    name: str
    now: int | None
    then: int
    gone: Difference
    back: Difference


@frozen(kw_only=True)
class Restored:
    """One restored project.

    Attributes:
        project: Id of the project.
        name: Name of the project.
        memories: Current number of memories, including purged memories.
        aside: Location of the copy of the project's former state, for display; None if no copy was made.
    """

    project: str
    name: str
    memories: int
    aside: str | None


@frozen
class OpenBackup:
    """A verified backup, ready for a restore.

    Attributes:
        previews: Preview for each project, ordered by name.
        restoring: Function that implements `restore`.
    """

    previews: tuple[Preview, ...]
    restoring: Callable[[], tuple[Restored, ...]]

    def restore(self) -> tuple[Restored, ...]:
        """Replace the current projects with the projects in the backup. Keep the replaced states as copies.

        The restore is atomic; after a crash, the next opening of the storage finishes or reverts it. Concurrent
        saves either fail, or end up in these copies. Projects missing in the backup stay unchanged.

        Raises:
            StorageError: The restore failed. The message says whether the restore will be finished later.
        """
        return self.restoring()


class Backups(Protocol):
    """Copies of the projects of a storage. Erasing a memory also removes its text from the copies."""

    @abstractmethod
    def copies(self) -> tuple[Copy, ...]:
        """Return all copies, oldest first."""

    @abstractmethod
    def held(self, copy: Copy) -> Held:
        """Return the numbers of memories and messages in a copy.

        Raises:
            StorageError: The copy can't be read.
        """

    @abstractmethod
    def copy(self, project: str, label: Label) -> Copy | None:
        """Copy a project, and verify the copy. Doesn't block readers or writers.

        Returns:
            The copy. None if no memory or message has changed since the latest copy, or if another process is
            making a copy.

        Raises:
            StorageError: No copy was made. `trouble` returns the reason until the next copy.
        """

    @abstractmethod
    def drop(self, copies: Sequence[Copy]) -> None:
        """Delete copies. Missing copies are ignored."""

    @abstractmethod
    def trouble(self) -> str | None:
        """Return the reason for the failure of the latest copy; None if it succeeded."""

    @abstractmethod
    def write(self, path: Path) -> tuple[Archived, ...]:
        """Write all projects into one file, and verify the file by reading it back.

        Only the file's owner can read it.

        An existing file is replaced atomically, once the new file is complete.

        Raises:
            StorageError: The file can't be written. An existing file is unchanged.
        """

    @abstractmethod
    def opened(self, source: Path | Copy) -> AbstractContextManager[OpenBackup]:
        """Verify a backup, and prepare its restore. `source` is a file made by `write`, or one of `copies`.

        Raises:
            BackupUnusableError: The backup is damaged, wasn't made by lamella, or was made by a newer version.
            StorageError: The backup can't be read.
        """

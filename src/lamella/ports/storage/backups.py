"""Backups: verified copies of the memories of whole projects, and the way back.

A storage whose database has backups of its own need not declare them.
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
    """Reason for a copy."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MANUAL = "manual"
    REPLACED = "replaced"
    """Copies that a restore has set aside."""
    OTHER = "other"
    """Made before a migration, or in place of copies that held erased text."""


@frozen(kw_only=True)
class Copy:
    """One copy of a project.

    Attributes:
        name: Names it in this storage.
        project: Id of the project.
        label: Reason for it.
        at: Time at which it was made.
        size: Bytes on disk.
        place: Where it is, for display.
    """

    name: str
    project: str
    label: Label
    at: datetime = field(validator=aware)
    size: int
    place: str


@frozen(kw_only=True)
class Held:
    """Content of a project in a backup: numbers of all memories, purged ones included, and of messages."""

    memories: int = 0
    messages: int = 0


@frozen(kw_only=True)
class Archived:
    """One project in a file that was written for keeping elsewhere."""

    project: str
    name: str
    held: Held


@frozen(kw_only=True)
class Difference:
    """Live memories that one of two states lacks: how many, and the titles of the latest, newest first."""

    count: int = 0
    titles: tuple[str, ...] = ()


@frozen(kw_only=True)
class Preview:
    """Preview of a restore of one project. Only live memories count.

    Attributes:
        project: Id of the project.
        name: Its name.
        now: Number of memories now; None if there is no such project, or it can't be read.
        then: Number of memories in the backup.
        gone: Memories that would be gone.
        back: Memories that would come back.
    """

    project: str
    name: str
    now: int | None
    then: int
    gone: Difference
    back: Difference


@frozen(kw_only=True)
class Restored:
    """One project that was restored.

    Attributes:
        project: Id of the project.
        name: Its name.
        memories: Number of memories that it has now, purged ones included.
        aside: Where its former state is kept, for display; None if there was none.
    """

    project: str
    name: str
    memories: int
    aside: str | None


@frozen
class OpenBackup:
    """A backup that was verified, and is ready to be restored.

    Attributes:
        previews: Preview of a restore, in the order of names.
        restoring: Function that carries out `restore`.
    """

    previews: tuple[Preview, ...]
    restoring: Callable[[], tuple[Restored, ...]]

    def restore(self) -> tuple[Restored, ...]:
        """Put the projects of the backup in the place of the present ones, and keep those aside as copies.

        All are restored, or none; a process that dies leaves that to whoever opens the storage next. What others
        save meanwhile is either refused or kept aside. Projects that the backup lacks stay as they are.

        Raises:
            StorageError: It could not be done now; the message says whether it will be finished.
        """
        return self.restoring()


class Backups(Protocol):
    """Copies of the projects of a storage. Erasing takes text out of them too."""

    @abstractmethod
    def copies(self) -> tuple[Copy, ...]:
        """Return all copies, oldest first."""

    @abstractmethod
    def held(self, copy: Copy) -> Held:
        """Count what a copy holds.

        Raises:
            StorageError: It can't be read.
        """

    @abstractmethod
    def copy(self, project: str, label: Label) -> Copy | None:
        """Copy a project, and verify the copy. Others may read and save meanwhile.

        Returns:
            The copy; None if no memory or message has changed since the latest copy, or another process is
            copying.

        Raises:
            StorageError: There is no copy; `trouble` tells why until the next copy is made.
        """

    @abstractmethod
    def drop(self, copies: Sequence[Copy]) -> None:
        """Delete copies. Those that are gone already are ignored."""

    @abstractmethod
    def trouble(self) -> str | None:
        """Return why the latest copy could not be made; None if it was made."""

    @abstractmethod
    def write(self, path: Path) -> tuple[Archived, ...]:
        """Write all projects into one file at `path`, for their owner alone, and verify it by reading it back.

        It gets its name when it is complete, and takes the place of a file that is there.

        Raises:
            StorageError: It could not be written; a file that was there is as it was.
        """

    @abstractmethod
    def opened(self, source: Path | Copy) -> AbstractContextManager[OpenBackup]:
        """Verify a file that `write` wrote, or one of `copies`, and get it ready.

        Raises:
            BackupUnusableError: It is damaged, none of ours, or was made by a newer version.
            StorageError: It can't be read.
        """

"""Shared folders of working trees, with memories as files, and their state at the last sync.

An adapter is registered in the group `lamella.shared_folder` as a callable. It takes the data directory and
returns `SharedFolders`.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from uuid import UUID

from attrs import field, frozen

from lamella.domain.errors import AdvisedError
from lamella.domain.exchange.json_lines import UnreadableExportError
from lamella.domain.exchange.records import Record


class SharedFolderError(AdvisedError):
    """A folder cannot be shared, or not now; `reason` says why and `advice` what to do next."""


class UnusableFileError(Exception):
    """A file cannot be read; the message says why, after its name."""


@frozen(kw_only=True)
class SharedMemory:
    """Memory of a project as it was at the last sync.

    Attributes:
        id: Its id.
        live: True if it was not purged.
        name: Name of its file, also while that is not there; None if it never had one.
        stamp: Stamp of its file; None if there was none.
        by_file: True if it was purged because its file was gone.
    """

    id: UUID
    live: bool
    name: str | None = None
    stamp: str | None = None
    by_file: bool = False


@frozen
class LeftFile:
    """File left alone by a sync.

    Attributes:
        stamp: Its stamp.
        reason: The reason, after its name; empty for another program's file.
    """

    stamp: str
    reason: str


@frozen(kw_only=True)
class Share:
    """Shared folder of a project, and its state at the last sync.

    Attributes:
        root: Top of the working tree.
        folder: The folder, relative to it, with `/`.
        sequence: Sequence number of the last examined memory of the project.
        memories: The notes of the project.
        left: Files left alone, by name.
        waiting: Number of memories waiting for an answer before their purge, because all files are gone.
    """

    root: Path
    folder: str
    sequence: int = 0
    memories: Mapping[UUID, SharedMemory] = field(factory=dict)
    left: Mapping[str, LeftFile] = field(factory=dict)
    waiting: int = 0


class SharedFolder(Protocol):
    """A folder during a sync. Nothing outside of it is read or written, and no link in it is followed.

    Attributes:
        share: The recorded state.
    """

    share: Share

    @abstractmethod
    def files(self) -> Mapping[str, str]:
        """Return the stamps of the Markdown files in the folder by name. A change changes the stamp.

        Raises:
            SharedFolderError: They are too many, or too large together.
        """

    @abstractmethod
    def read(self, name: str) -> tuple[str, str]:
        """Return the text of a file, and its stamp.

        Raises:
            UnusableFileError: It is gone, too large, or no text.
        """

    @abstractmethod
    def write(self, name: str, text: str, *, over: str | None) -> str | None:
        """Write a file atomically.

        Args:
            name: Its name.
            text: Its text.
            over: Stamp of the replaced file; None to require that there is none.

        Returns:
            Its stamp; None if another file is there. It is left alone.
        """

    @abstractmethod
    def remove(self, name: str, stamp: str) -> bool:
        """Delete a file. Return True if it is gone, False if it has another stamp and was left alone."""

    @abstractmethod
    def record(self, share: Share) -> None:
        """Record the present state."""


class SharedFolders(Protocol):
    """Folders shared by this machine. A repository alone can't change them."""

    @abstractmethod
    def around(self, directory: Path) -> bool:
        """Return True if a project shares a folder of the working tree around `directory`. Cheap."""

    @abstractmethod
    def within(self, project: str, root: Path) -> tuple[str, ...]:
        """Return the prefixes of shared files' paths, relative to a working tree; empty without known ones."""

    @abstractmethod
    def of(self, project: str) -> Share | None:
        """Return the folder of a project, None if it shares none."""

    @abstractmethod
    def start(self, project: str, share: Share) -> None:
        """Record a new folder, and create it.

        Raises:
            SharedFolderError: It cannot be created, or a link leads to it.
        """

    @abstractmethod
    def stop(self, project: str) -> None:
        """Forget the folder of a project."""

    @abstractmethod
    def erase(self, project: str, ids: Collection[UUID]) -> None:
        """Remove the files of erased memories, and forget their names, made of their words.

        Raises:
            SharedFolderError: The record cannot be used, or another process keeps the folder open for long.
        """

    @abstractmethod
    def opened(self, project: str) -> AbstractContextManager[SharedFolder | None]:
        """Open the folder of a project; None if it shares none. Other processes opening it wait.

        Raises:
            SharedFolderError: It cannot be opened, or another process keeps it open for long.
        """

    @abstractmethod
    def stamp(self, share: Share) -> str:
        """Return a stamp of the folder. It changes if files are added, removed or changed. Cheap."""


class MachineFiles(Protocol):
    """Folder with a file from each machine of a person for each of its projects, read by all."""

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record | UnreadableExportError]]:
        """Yield the records of all files, each with its place; an error in the place of the rest of a file."""

    @abstractmethod
    def write(self, project: str, records: Iterable[Record], *, dry_run: bool) -> bool:
        """Write the file of a project of this machine, as a whole or not at all.

        Returns:
            True if it was another one before.
        """

    @abstractmethod
    def keep(self, projects: Collection[str], *, dry_run: bool) -> int:
        """Remove the files of other projects of this machine. Return their number."""

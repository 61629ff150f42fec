"""Shared folders: folders of working trees in which memories are files.

The state of each shared folder at its last sync is recorded on this machine.

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
from lamella.domain.memories.observation import Observation


class SharedFolderError(AdvisedError):
    """A folder can't be shared, temporarily or permanently. `reason` and `advice` have details."""


class UnusableFileError(Exception):
    """A file can't be read. The message gives the reason, to be printed after the file's name."""


@frozen(kw_only=True)
class SharedMemory:
    """State of a memory at the last sync.

    Attributes:
        id: Id of the memory.
        live: True if the memory was live, False if it was purged.
        name: Name of the memory's file, even if the file is missing; None if the memory never had a file.
        stamp: Stamp of the memory's file at the last sync; None if the file was missing. See `SharedFolder.files`.
        by_file: True if the memory was purged because the memory's file was gone.
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
        stamp: Stamp of the file.
        reason: Reason for leaving the file alone, to print after its name; empty for another program's file.
    """

    stamp: str
    reason: str


@frozen(kw_only=True)
class Share:
    """Shared folder of a project, and its state at the last sync.

    Attributes:
        root: Top of the working tree.
        folder: The shared folder, relative to the root, with `/`.
        sequence: Sequence number of the last examined memory of the project.
        memories: The notes of the project.
        left: Files left alone, keyed by file name.
        waiting: Number of memories to purge after the user confirms. Greater than 0 only if all shared files are
            gone.
    """

    root: Path
    folder: str
    sequence: int = 0
    memories: Mapping[UUID, SharedMemory] = field(factory=dict)
    left: Mapping[str, LeftFile] = field(factory=dict)
    waiting: int = 0


class SharedFolder(Protocol):
    """Shared folder, open for a sync. Links are not followed, and files outside of the folder are not touched.

    Attributes:
        share: The recorded state.
    """

    share: Share

    @abstractmethod
    def files(self) -> Mapping[str, str]:
        """Return the stamps of the Markdown files in the folder, keyed by file name.

        A stamp changes whenever its file changes.

        Raises:
            SharedFolderError: The folder has too many files, or their total size is too large.
        """

    @abstractmethod
    def read(self, name: str) -> tuple[str, str]:
        """Return the text of a file, and its stamp.

        Raises:
            UnusableFileError: The file is missing, too large, or not a text file.
        """

    @abstractmethod
    def write(self, name: str, text: str, *, over: str | None) -> str | None:
        """Write a file atomically.

        Args:
            name: Name of the file.
            text: Text of the file.
            over: Expected stamp of the file to replace; None to create a new file.

        Returns:
            Stamp of the written file. None if the stamp of the existing file isn't `over`: the existing file is
            then unchanged.
        """

    @abstractmethod
    def remove(self, name: str, stamp: str) -> bool:
        """Delete a file if its stamp is `stamp`. Otherwise leave it alone, and return False."""

    @abstractmethod
    def record(self, share: Share) -> None:
        """Record the current state."""


class SharedFolders(Protocol):
    """Shared folders, as recorded on this machine. A cloned repository can't add a shared folder."""

    @abstractmethod
    def around(self, directory: Path) -> bool:
        """Return True if a project shares a folder in the working tree around `directory`. This is fast."""

    @abstractmethod
    def within(self, project: str, root: Path) -> tuple[str, ...]:
        """Return the paths of the project's shared folders in a working tree, each with a trailing `/`.

        Paths are relative to `root`. Return an empty tuple if no shared folder is recorded for `root`.
        """

    @abstractmethod
    def of(self, project: str) -> Share | None:
        """Return the recorded shared folder of a project; None if the project has no shared folder."""

    @abstractmethod
    def start(self, project: str, share: Share) -> None:
        """Record a new folder, and create it.

        Raises:
            SharedFolderError: The folder can't be created, or its path contains a link.
        """

    @abstractmethod
    def stop(self, project: str) -> None:
        """Delete the record of a project's shared folder. The files stay."""

    @abstractmethod
    def erase(self, project: str, memories: Collection[Observation]) -> None:
        """Delete the files of erased memories, and the names of these files from the record.

        The names quote the erased text.

        An edited file stays on disk, because its text exists nowhere else.

        Args:
            project: Id of the project.
            memories: The erased memories. Secrets in them are redacted, as in the files.

        Raises:
            SharedFolderError: The record can't be used, or another process keeps the folder open too long.
        """

    @abstractmethod
    def opened(self, project: str) -> AbstractContextManager[SharedFolder | None]:
        """Open the shared folder of a project exclusively; other processes wait.

        The value is None if the project has no shared folder.

        Raises:
            SharedFolderError: The folder can't be opened, or another process keeps it open too long.
        """

    @abstractmethod
    def stamp(self, share: Share) -> str:
        """Return a text that changes when files of the folder are added, removed or changed. This is fast."""


class MachineFiles(Protocol):
    """Folder through which a person's machines exchange memories. Each machine writes one file per project."""

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record | UnreadableExportError]]:
        """Yield the records of all files, each with its position: the file's name and the line.

        If the rest of a file can't be read, yield an error instead.
        """

    @abstractmethod
    def write(self, project: str, records: Iterable[Record], *, dry_run: bool) -> bool:
        """Write this machine's file of a project atomically.

        Returns:
            True if the content of the file has changed.
        """

    @abstractmethod
    def keep(self, projects: Collection[str], *, dry_run: bool) -> int:
        """Remove this machine's files, except files of the given projects. Return the number of removed files."""

"""Back up all projects, and restore them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from attrs import define, frozen

from lamella.domain.errors import StorageError
from lamella.domain.projects.project import Project
from lamella.ports.storage.backups import Archived, Copy, Held, Label, OpenBackup
from lamella.ports.storage.storage import Storage


@frozen(kw_only=True)
class Counted:
    """A copy of a project.

    Attributes:
        copy: The copy.
        name: Name of its project; its id if it is not known any more.
        held: What it holds; None if it can't be read.
    """

    copy: Copy
    name: str
    held: Held | None


@define
class BackUp:
    """Copy every project, into the storage's own folder or into one file."""

    storage: Storage

    def __call__(self) -> Iterator[tuple[Project, Counted | None]]:
        """Copy each project that has changed since its latest copy, and verify the copy.

        Yields:
            Each project with its new copy, or with None if nothing has changed.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
            StorageError: A project could not be copied.
        """
        backups = self.storage.backups
        for project in self.storage.registry.all():
            made = backups.copy(project.id, Label.MANUAL)
            told = None if made is None else Counted(copy=made, name=project.name, held=backups.held(made))
            yield project, told

    def write(self, path: Path) -> Sequence[Archived]:
        """Write all projects into one file, and verify it by reading it back.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
            StorageError: It could not be written; a file that was there is as it was.
        """
        return self.storage.backups.write(path)


@define
class RestoreBackup:
    """List backups, and put one in the place of what is there."""

    storage: Storage

    def copies(self) -> tuple[Counted, ...]:
        """Return the copies that there are, oldest first.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
        """
        backups = self.storage.backups
        names = {each.id: each.name for each in self.storage.registry.all()}
        return tuple(
            Counted(copy=each, name=names.get(each.project, each.project), held=self._held(each))
            for each in backups.copies()
        )

    def opened(self, source: Path | Copy) -> AbstractContextManager[OpenBackup]:
        """Verify a backup, and get it ready: see `Backups.opened`.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
            BackupUnusableError: The backup can't be used.
        """
        return self.storage.backups.opened(source)

    def _held(self, copy: Copy) -> Held | None:
        try:
            return self.storage.backups.held(copy)
        except StorageError:
            return None

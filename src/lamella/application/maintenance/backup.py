"""Back up all projects, and list their copies."""

from collections.abc import Iterator

from attrs import define, frozen

from lamella.domain.errors import StorageError
from lamella.domain.projects.project import Project
from lamella.ports.storage.backups import Copy, Held, Label
from lamella.ports.storage.storage import Storage


@frozen(kw_only=True)
class Counted:
    """A copy of a project.

    Attributes:
        copy: The copy.
        name: Name of the copied project, or its id if the project is no longer known.
        held: Numbers of memories and messages; None if the copy can't be read.
    """

    copy: Copy
    name: str
    held: Held | None


@define
class BackUp:
    """Copy every project into the storage's folder of backups, and list all copies there."""

    storage: Storage

    def __call__(self) -> Iterator[tuple[Project, Counted | None]]:
        """Copy each project changed since its latest copy, and verify the copy.

        Yields:
            Each project with its new copy, or with None if it is unchanged.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
            StorageError: A project could not be copied.
        """
        backups = self.storage.backups
        for project in self.storage.registry.all():
            made = backups.copy(project.id, Label.MANUAL)
            counted = None if made is None else Counted(copy=made, name=project.name, held=backups.held(made))
            yield project, counted

    def copies(self) -> tuple[Counted, ...]:
        """Return all copies, oldest first.

        Raises:
            CapabilityUnsupportedError: The storage has no backups.
        """
        backups = self.storage.backups
        names = {each.id: each.name for each in self.storage.registry.all()}
        return tuple(
            Counted(copy=each, name=names.get(each.project, each.project), held=self._held(each))
            for each in backups.copies()
        )

    def _held(self, copy: Copy) -> Held | None:
        try:
            return self.storage.backups.held(copy)
        except StorageError:
            return None

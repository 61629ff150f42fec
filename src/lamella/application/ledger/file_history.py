"""Show the history of a file."""

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.ledger.file_change import FileChange
from lamella.ports.working_tree import WorkingTree

DEFAULT_CHANGES = 50
"""Default number of changes: the latest."""


@frozen(kw_only=True)
class FileHistory:
    """The names of a file, latest first, and its changes with their short ids, latest first."""

    names: tuple[str, ...]
    changes: tuple[tuple[str, FileChange], ...]


@define
class ShowFileHistory:
    """Show the changes of a file of the project, under its former names too."""

    projects: ProjectResolver
    working_tree: WorkingTree

    def __call__(self, call: Call, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the latest `limit` changes.

        Raises:
            PathOutsideProjectError: the file is not the project's.
            UnknownProjectError: there is no such project.
            CapabilityUnsupportedError: the storage keeps no ledger.
        """
        here = self.projects.find(call)
        relative = self.working_tree.relative(here.root, path)
        ledger = here.ledger()
        changes = ledger.history(relative, limit=limit)
        short_ids = here.observations.short_ids([each.observation for each in changes])
        return FileHistory(names=ledger.names(relative), changes=tuple(zip(short_ids, changes, strict=True)))

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
    """The history of a file.

    Attributes:
        names: The asked name, and the names that the file had before, latest first.
        changes: Its changes, latest first.
    """

    names: tuple[str, ...]
    changes: tuple[FileChange, ...]


@define
class ShowFileHistory:
    """Show the changes of a file of the project, under its former names too."""

    projects: ProjectResolver
    working_tree: WorkingTree

    def __call__(self, call: Call, path: str, *, limit: int = DEFAULT_CHANGES) -> FileHistory:
        """Return the history of a file.

        Args:
            call: The context.
            path: The file, relative to the project's root or absolute.
            limit: Most changes: the latest.

        Raises:
            PathOutsideProjectError: The file is not in the project.
            UnknownProjectError: There is no such project.
            CapabilityUnsupportedError: The storage keeps no ledger.
        """
        here = self.projects.find(call)
        relative = self.working_tree.relative(here.root, path)
        ledger = here.ledger()
        return FileHistory(names=ledger.names(relative), changes=ledger.history(relative, limit=limit))

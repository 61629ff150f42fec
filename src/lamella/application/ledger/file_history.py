"""Show the history of a file or folder."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from attrs import define, evolve, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.ledger.counting import counted_once
from lamella.domain.ledger.file_change import FileChange
from lamella.domain.memories.kind import LEARNED
from lamella.domain.memories.limits import DEFAULT_CHANGES
from lamella.ports.working_tree import WorkingTree


@frozen(kw_only=True)
class FileHistory:
    """The history of a file or folder.

    Attributes:
        names: Given name, and former names of the file, latest first.
        changes: Changes of the file, or of the files in the folder, latest first.
    """

    names: tuple[str, ...]
    changes: tuple[FileChange, ...]


@define
class ShowFileHistory:
    """Show the changes of a file or of the files in a folder. Changes under former names are included."""

    projects: ProjectResolver
    working_tree: WorkingTree

    def __call__(self, call: Call, path: str, *, limit: int = DEFAULT_CHANGES, hunks: bool = False) -> FileHistory:
        """Return the history of a file or folder.

        If several changes report the same line, the line counts only in the oldest of them.

        Args:
            call: Context of the call.
            path: The file or folder, relative to the project's root or absolute.
            limit: Maximum number of changes. The latest changes are returned.
            hunks: True to include the lines of each change.

        Raises:
            PathOutsideProjectError: The file is outside the project.
            UnknownProjectError: The project doesn't exist.
            CapabilityUnsupportedError: The storage keeps no ledger.
        """
        here = self.projects.find(call)
        relative = self.working_tree.relative(here.root, path)
        ledger = here.ledger()
        changes = ledger.history(relative, limit=limit)
        return FileHistory(names=ledger.names(relative), changes=tuple(_counted(here, changes, hunks=hunks)))


def _counted(here: ProjectContext, entries: Sequence[FileChange], *, hunks: bool) -> Iterator[FileChange]:
    """Yield entries of a history with their numbers of lines, and with their hunks if `hunks` is true.

    If several entries report the same line, the line counts only in the oldest of them.
    """
    whole = list(_with_hunks(here, entries))
    order = sorted(range(len(whole)), key=lambda place: (_reported_at(whole[place]), -place))
    told = [whole[place] for place in order]
    once = dict(zip(order, counted_once((each.source, each.change) for each in told), strict=True))
    for place, each in enumerate(whole):
        change = once[place]
        yield evolve(each, change=change if hunks else evolve(change, hunks="", version=None))


def _reported_at(entry: FileChange) -> datetime:
    """Return the time to order an entry by.

    A commit's time is in whole seconds. A commit is ordered after all edits of the same second.
    """
    return entry.at.replace(microsecond=999_999) if entry.source == LEARNED else entry.at


def _with_hunks(here: ProjectContext, entries: Sequence[FileChange]) -> Iterator[FileChange]:
    """Yield entries of a history with their lines."""
    whole = here.observations.get_all({each.observation for each in entries})
    # Entries are newest first, so reverse the changes of each observation, too.
    left = {id: observation.changes[::-1] for id, observation in whole.items()}
    for entry in entries:
        changes = left.get(entry.observation, ())
        change = next(
            (each for each in changes if evolve(each, hunks="", version=None) == entry.change), entry.change
        )
        left[entry.observation] = tuple(each for each in changes if each is not change)
        yield evolve(entry, change=change)

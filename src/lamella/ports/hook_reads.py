"""Port through which hooks read memories without opening the storage, which takes too long.

An opener is registered in the group `lamella.hook_reads`, under the scheme of the storage's URL, as a callable
that takes the URL and the data directory, both as text. It returns None if nothing is stored yet.

A user or a model waits for a hook, so these methods read within some 50 ms or raise `TimeoutError`, which the
status counts. Whatever they raise, the hook stays silent. They create nothing, and lock nothing that a writer
waits for. Hooks and SQLite never import this module, because it costs them time.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from lamella.domain.hook_context import ROOT, Index, Related, Surroundings
from lamella.domain.ledger.removed_code import RemovedCode
from lamella.domain.projects.moved import ListedProject
from lamella.domain.text.words import Word


class ProjectReads(Protocol):
    """Reads of one state of a project's live memories."""

    @abstractmethod
    def index(
        self, *, decisions: int, notes: int, summaries: int, files: int, near: int = 0, here: Surroundings = ROOT
    ) -> Index:
        """Return the latest decisions, other notes, summaries and changed files, at most so many of each.

        Excerpts have their branches and files, and the versions and lines of these. `near` is the limit of the
        latest notes, decisions included, about files of `here`, of those that name its folder, and of decisions
        about no file, which only a folder below the root asks for. The oldest of a large project may be missing.
        """

    @abstractmethod
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        """Return notes that hold most of what some words tell, best first.

        They have their branches. Captured edits and summaries are neither returned nor counted: they repeat the
        words of prompts.

        Args:
            words: Words of a prompt.
            limit: Most notes.
        """

    @abstractmethod
    def knows_file(self, path: str) -> bool:
        """Return True if a change of the file is stored, so that an edit of it is worth checking.

        Args:
            path: Path relative to the root; a former name counts too.
        """

    @abstractmethod
    def removals(self, path: str, fingerprints: frozenset[int]) -> list[RemovedCode]:
        """Return the removals of some lines from a file, as in `CodeLedger.removals`.

        Args:
            path: Present name of the file, relative to the root.
            fingerprints: Fingerprints of the lines, of `lamella.domain.ledger.describe.line_fingerprints`.
        """

    @abstractmethod
    def short_id(self, key: str) -> str:
        """Return the short id of a memory.

        Args:
            key: The 32 hexadecimal digits of its id.
        """


class HookReads(Protocol):
    """Reads of a storage for one hook."""

    @property
    @abstractmethod
    def shared(self) -> bool:
        """True if the storage declares `Capability.SHARED`."""

    def projects(self) -> list[ListedProject]:
        """Return the projects that have memories, each with the aliases of those that were merged into it.

        None are recognised after a move, and subfolders have projects of their own, where none are listed.
        """
        return []

    @abstractmethod
    def project(self, key: str, repository: str | None, name: str) -> AbstractContextManager[ProjectReads]:
        """Open one state of a project. Raises if there is no such project, or several.

        Args:
            key: Key of the location.
            repository: Alias of its repository, as in `Location`.
            name: Project that is set by the user, by id, alias or name; empty if none is. It comes before the
                location. A name that no project has stands for the place of
                `lamella.domain.projects.key.key_of_name`.
        """


OpenHookReads = Callable[[str, str], HookReads | None]
"""Returns the reads of the storage at a URL, given the data directory too; None if nothing is stored there yet."""

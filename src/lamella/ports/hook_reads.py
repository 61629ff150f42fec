"""Port for hooks to read memories without opening the storage, which would be too slow.

An opener is registered in the group `lamella.hook_reads`, under the scheme of the storage's URL, as a callable. It
takes the URL and the data directory, both as text. It returns None for an empty storage.

A user or a model waits for a hook, so these methods read within some 50 ms or raise `TimeoutError`. The status
shows the number of time-outs. After any error, the hook prints nothing. These methods create nothing, and never
block a writer. Hooks and the SQLite adapter never import this module, because the import would delay each hook.
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
    """Reads from a snapshot of a project's live memories."""

    @abstractmethod
    def index(
        self, *, decisions: int, notes: int, summaries: int, files: int, near: int = 0, here: Surroundings = ROOT
    ) -> Index:
        """Return the latest decisions, other notes, summaries and changed files. Each list has its own limit.

        Excerpts include the branch, and the files with their versions and lines. The field `near` has the latest
        memories in three groups: notes (including decisions) about files of `here`, notes that mention the folder
        of `here`, and decisions without files. The argument `near` is the limit for each group. In a large
        project, the oldest memories may be missing.
        """

    @abstractmethod
    def related(self, words: Sequence[Word], limit: int) -> list[Related]:
        """Return the notes that match words best, with their branches and files, best first.

        Leave out captured edits and summaries, because they repeat the words of prompts.

        Args:
            words: Words of a prompt.
            limit: Maximum number of notes.
        """

    @abstractmethod
    def knows_file(self, path: str) -> bool:
        """Return True if changes of a file are stored. Edits of other files need no check.

        Args:
            path: Present or former path of the file, relative to the root.
        """

    @abstractmethod
    def removals(self, path: str, fingerprints: frozenset[int]) -> list[RemovedCode]:
        """Return the removals of lines from a file, as in `CodeLedger.removals`.

        Args:
            path: Current path of the file, relative to the root.
            fingerprints: Fingerprints of the lines; see `lamella.domain.ledger.describe.line_fingerprints`.
        """

    @abstractmethod
    def hunks(self, key: str, path: str) -> str:
        """Return the hunks of a memory's change of a file; empty if no hunks are stored.

        Args:
            key: The 32 hexadecimal digits of the memory's id.
            path: Path of the file at the time of the change.
        """

    @abstractmethod
    def decision(self, session: str, path: str) -> tuple[str, str] | None:
        """Return the key and title of a session's latest decision about a file; None without such a decision.

        Args:
            session: Id of the session.
            path: Path of the file when the decision was saved.
        """

    @abstractmethod
    def short_id(self, key: str) -> str:
        """Return the short id of a memory.

        Args:
            key: The 32 hexadecimal digits of the memory's id.
        """


class HookReads(Protocol):
    """Reads of a storage for one hook."""

    @property
    @abstractmethod
    def shared(self) -> bool:
        """True if the storage declares `Capability.SHARED`."""

    def projects(self) -> list[ListedProject]:
        """Return the projects with memories, including the aliases of projects merged into them.

        If the list is empty, hooks don't recognise moved projects, and take each subfolder for a separate project.
        """
        return []

    @abstractmethod
    def project(self, key: str, repository: str | None, name: str) -> AbstractContextManager[ProjectReads]:
        """Open a snapshot of a project. Raise an error if no project or several projects match.

        Args:
            key: Key of the location.
            repository: Alias of the location's repository, as in `Location`.
            name: Id, alias or name of the project set by the user; empty if the user set no project. `name` takes
                precedence over the location. If no project has the name, look for the key returned by
                `lamella.domain.projects.key.key_of_name`.
        """


OpenHookReads = Callable[[str, str], HookReads | None]
"""Function that opens the reads for the URL of a storage and the data directory; None for an empty storage."""

"""Values that hooks read from a project's memories. Hooks use this module, so it imports little.

Times are microseconds since 1970. A memory has a short id and a key, the 32 hexadecimal digits of its id.
"""

from collections.abc import Callable
from typing import NamedTuple


class Overview(NamedTuple):
    """The project's name, how many memories it has, and when the newest occurred, None if it has none.

    Learned commits don't count as memories. `as_of` is when they were compared with the storage last, if they are
    read from a copy that is old. `warnings` counts the warnings before edits in the latest session; 0 if unknown.
    """

    name: str
    memories: int
    newest: int | None
    as_of: int | None = None
    warnings: int = 0


class MemoryExcerpt(NamedTuple):
    """Excerpt of a memory.

    Attributes:
        content: Its beginning.
        files: Files that it is about, with their versions when it was saved, where these are known, and functions
            that return the hunks that it is about. An index has them.
        state: How these and its branch differ from what is here, in words; empty if they don't, or if nobody has
            looked.
        paths: All files that it is about. An index has them, and the two fields that follow.
        session: Session in which it was saved; empty if unknown.
        decision: True if a note was saved as a decision.
        branch: Branch on which it was saved, if known.
        head: Commit on which it was saved, if known.
    """

    key: str
    id: str
    occurred_at: int
    title: str
    content: str
    files: tuple[tuple[str, str, Callable[[], str]], ...] = ()
    state: str = ""
    paths: tuple[str, ...] = ()
    session: str = ""
    decision: bool = False
    branch: str | None = None
    head: str | None = None


class Surroundings(NamedTuple):
    """The place where a session begins.

    Attributes:
        folder: Its package or folder, relative to the root; empty for the root.
        name: Words by which texts name the folder; empty if there are none.
        branch: Files that the current branch has changed.
    """

    folder: str = ""
    name: str = ""
    branch: frozenset[str] = frozenset()


ROOT = Surroundings()
"""The root of a project, on its default branch."""


class ChangedFile(NamedTuple):
    """Latest change of a file; the counts are None if they are unknown."""

    key: str
    id: str
    occurred_at: int
    title: str
    path: str
    additions: int | None
    deletions: int | None
    session: str = ""


class Index(NamedTuple):
    """Memories that a session begins with, of each kind the newest first.

    `near` has notes about the surroundings, some of which are among the others too. `everywhere` has those that
    hold in every project, which a hook adds.
    """

    overview: Overview
    decisions: list[MemoryExcerpt]
    notes: list[MemoryExcerpt]
    summaries: list[MemoryExcerpt]
    changes: list[ChangedFile]
    near: list[MemoryExcerpt] = []  # noqa: RUF012 - never changed
    everywhere: tuple[MemoryExcerpt, ...] = ()


class Related(NamedTuple):
    """A memory that holds words of a text.

    Attributes:
        memory: The memory.
        evidence: Weight of these words by BM25's idf. A word that no other note holds weighs 1.
        share: Its part of the weight of all words of the text.
        names: Number of names of code among them that hardly any other memory holds.
        words: Number of these words.
    """

    memory: MemoryExcerpt
    evidence: float
    share: float
    names: int
    words: int

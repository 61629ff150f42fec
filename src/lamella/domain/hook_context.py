"""Values read by hooks from a project's memories. Hooks use this module, so it imports little.

Times are microseconds since 1970. A memory has a short id and a key, the 32 hexadecimal digits of its id.
"""

from collections.abc import Callable
from typing import NamedTuple


class Overview(NamedTuple):
    """The project's name, its number of memories, and the time of the newest memory (None without memories).

    Learned commits don't count as memories. `as_of` is set only for reads from an outdated copy of the storage. It
    is the time when the copy was last compared with the storage. `warnings` counts the warnings before edits in
    the latest session; 0 if unknown.
    """

    name: str
    memories: int
    newest: int | None
    as_of: int | None = None
    warnings: int = 0


class MemoryExcerpt(NamedTuple):
    """Excerpt of a memory.

    Attributes:
        content: Beginning of the text of the memory.
        files: For each related file: its path, its version when the memory was saved (empty if unknown), and a
            function that returns the memory's hunks of this file.
        state: Remark if the memory's files have changed, or if its branch isn't checked out. Empty if nothing
            differs, or if files and branch weren't checked.
        paths: All related files. Checked files have their present paths.
        session: Id of the memory's session; empty if unknown. `session` and `decision` are set only in an `Index`.
        decision: True if the memory is a decision.
        branch: Checked-out branch at the save, if known.
        head: Checked-out commit at the save, if known.
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
    """Folder in which a session started, and names to find related memories by.

    Attributes:
        folder: Package or folder, relative to the root; empty for the root.
        name: Name of the folder to look for in texts; may be empty.
        branch: Files changed on the current branch.
        others: Names of packages or folders beside `folder`, to look for in texts.
    """

    folder: str = ""
    name: str = ""
    branch: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


ROOT = Surroundings()
"""The root of a project, on its default branch."""


class ChangedFile(NamedTuple):
    """Latest change of a file. The numbers of lines are None if unknown."""

    key: str
    id: str
    occurred_at: int
    title: str
    path: str
    additions: int | None
    deletions: int | None
    session: str = ""


class Index(NamedTuple):
    """Memories for the start of a session. In each field, the newest memory comes first.

    `near` has the notes about the surroundings. Other fields may contain these notes as well. `everywhere` has
    global memories, which a hook adds. `elsewhere` has the ids of sessions whose latest files are all in other
    folders. If such a session made a decision without files, the decision is probably about another folder, too.
    Sessions without such a decision in `near` are left out.
    """

    overview: Overview
    decisions: list[MemoryExcerpt]
    notes: list[MemoryExcerpt]
    summaries: list[MemoryExcerpt]
    changes: list[ChangedFile]
    near: list[MemoryExcerpt] = []  # noqa: RUF012 - never changed
    everywhere: tuple[MemoryExcerpt, ...] = ()
    elsewhere: frozenset[str] = frozenset()


class Related(NamedTuple):
    """A memory that has words in common with a text.

    Attributes:
        memory: The memory.
        evidence: Sum of the matching words' weights. The weight is the IDF of BM25, scaled to 1 for a word that no
            other note contains.
        share: Evidence divided by the weight of all words of the text, from 0 to 1.
        names: Number of rare code names among the matching words.
        words: Number of matching words.
    """

    memory: MemoryExcerpt
    evidence: float
    share: float
    names: int
    words: int

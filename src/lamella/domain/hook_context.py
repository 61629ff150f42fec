"""Values that hooks read from a project's memories. Hooks use this module, so it imports little.

Moments are microseconds since 1970. A memory has a short id, which `recall` takes, and a key that stays the same.
"""

from typing import NamedTuple

from lamella.domain.memories.kind import Kind


class Overview(NamedTuple):
    """The project's name, how many memories it has, and when the newest occurred, None if it has none."""

    name: str
    memories: int
    newest: int | None


class MemoryExcerpt(NamedTuple):
    """A memory; `content` is the beginning of it."""

    key: str
    id: str
    occurred_at: int
    title: str
    content: str


class ChangedFile(NamedTuple):
    """The latest change of a file; the counts are None where nobody knows them."""

    key: str
    id: str
    occurred_at: int
    title: str
    path: str
    additions: int | None
    deletions: int | None


class Index(NamedTuple):
    """Memories that a session begins with, of each kind the newest first."""

    overview: Overview
    decisions: list[MemoryExcerpt]
    notes: list[MemoryExcerpt]
    summaries: list[MemoryExcerpt]
    changes: list[ChangedFile]


class Related(NamedTuple):
    """A memory that holds words of a text.

    `evidence` is how much those weigh that it holds, in units of BM25's idf; `share` which part that is of the
    weight of all words of the text; `names` is how many names of code it holds that hardly any other does,
    `words` how many words.
    """

    memory: MemoryExcerpt
    evidence: float
    share: float
    names: int
    words: int


class RemovedCode(NamedTuple):
    """Lines that one memory removed from the file at `path`.

    `source` is where the memory comes from, `session` in which session it was made, if in any.
    """

    key: str
    at: int
    kind: Kind
    source: str
    session: str | None
    title: str
    path: str
    fingerprints: frozenset[int]

"""Code that was removed, as hooks read it. Hooks use this module, so it imports little."""

from typing import NamedTuple

from lamella.domain.memories.kind import Kind


class RemovedCode(NamedTuple):
    """Lines that one memory removed from a file.

    Attributes:
        key: Key of the memory.
        at: Time at which it occurred.
        kind: Kind of the memory.
        source: Its source.
        session: Its session, if it has one.
        title: Its title.
        path: Name that the file had then.
        fingerprints: Fingerprints of the lines.
    """

    key: str
    at: int
    kind: Kind
    source: str
    session: str | None
    title: str
    path: str
    fingerprints: frozenset[int]

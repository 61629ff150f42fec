"""Removed code, as read by hooks. Hooks use this module, so it imports little."""

from typing import NamedTuple

from lamella.domain.memories.kind import Kind


class RemovedCode(NamedTuple):
    """Lines removed from a file by one memory.

    Attributes:
        key: Key of the memory.
        at: `occurred_at` of the memory.
        kind: Kind of the memory.
        source: Source of the memory.
        session: Session of the memory, if known.
        title: Title of the memory.
        path: Path of the file when the lines were removed.
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

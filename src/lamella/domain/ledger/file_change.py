"""The ledger of code: what was changed in a file, by which memory, and what was removed.

Whether an edit walks back into that is `walking_back`.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import field, frozen

from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.ledger.reintroduction import Likeness, NewCode, Turn, followed
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, aware

__all__ = ["FileChange", "Likeness", "NewCode", "Place", "Removal", "Turn", "followed", "removals"]


class Place(NamedTuple):
    """The position of an observation in the order of time."""

    occurred_at: datetime
    sequence: int


@frozen(kw_only=True)
class FileChange:
    """One entry of a file's history: what an observation changed in it, under the name that it had then.

    `session` is that of the observation, if it has one.
    """

    observation: UUID
    at: datetime = field(validator=aware)
    kind: Kind
    session: str | None
    title: str
    source: str
    change: CodeChange


@frozen(kw_only=True)
class Removal:
    """What one observation took out of a file: the marks of it that were asked for.

    `session` is that of the observation, if it has one.
    """

    observation: UUID
    at: datetime = field(validator=aware)
    kind: Kind
    source: str
    session: str | None
    title: str
    path: str
    fingerprints: frozenset[int]


def removals(changes: Iterable[tuple[FileChange, LineFingerprints]], asked: frozenset[int]) -> tuple[Removal, ...]:
    """What of `asked` each of a file's `changes` removed."""
    return tuple(
        Removal(
            observation=entry.observation,
            at=entry.at,
            kind=entry.kind,
            source=entry.source,
            session=entry.session,
            title=entry.title,
            path=entry.change.path,
            fingerprints=gone,
        )
        for entry, lines in changes
        if (gone := asked & lines.removed)
    )

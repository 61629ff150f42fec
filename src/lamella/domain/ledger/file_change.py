"""Entries of the ledger of code: changes of a file, and removals from it."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import field, frozen

from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange
from lamella.domain.validation import aware


class Place(NamedTuple):
    """The position of an observation in the order of time."""

    occurred_at: datetime
    sequence: int


@frozen(kw_only=True)
class _Entry:
    """The part that all entries have, as their observation has it.

    Attributes:
        observation: Id of the observation.
        short_id: Its short id.
        at: Time at which it occurred.
        session: Its session, if it has one.
    """

    observation: UUID
    short_id: str
    at: datetime = field(validator=aware)
    kind: Kind
    source: str
    session: str | None
    title: str


@frozen(kw_only=True)
class FileChange(_Entry):
    """Entry of a file's history: the change that one observation made, under the name that the file had then."""

    change: CodeChange


@frozen(kw_only=True)
class Removal(_Entry):
    """Lines that one observation removed from a file.

    Attributes:
        path: Name that the file had then.
        fingerprints: Fingerprints of the lines, of those that were asked for.
    """

    path: str
    fingerprints: frozenset[int]


def removals(changes: Iterable[tuple[FileChange, LineFingerprints]], asked: frozenset[int]) -> tuple[Removal, ...]:
    """Return the fingerprints of `asked` that each of a file's changes removed, but for those without any."""
    return tuple(
        Removal(
            observation=entry.observation,
            short_id=entry.short_id,
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

"""Entries of the ledger of code: changes of a file, and removals from it."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import asdict, field, frozen

from lamella.domain.ledger.fingerprints import LineFingerprints
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.validation import aware


class TimelinePosition(NamedTuple):
    """Position of an observation in the timeline."""

    occurred_at: datetime
    sequence: int


@frozen(kw_only=True)
class FileChange:
    """Entry of a file's history: the change made by one observation, under the file's name at the time.

    Attributes:
        observation: Id of the observation.
        short_id: Short id of the observation.
        at: The observation's `occurred_at`.
        session: Session of the observation, if any.
        change: The change.
    """

    observation: UUID
    short_id: str
    at: datetime = field(validator=aware)
    kind: Kind
    source: str
    session: str | None
    title: str
    change: CodeChange


class FileTally(NamedTuple):
    """File, with the number of its changes and the time of its latest change."""

    path: str
    changes: int
    latest: datetime


def tallied(changes: Iterable[FileChange]) -> tuple[FileTally, ...]:
    """Count the changes of each file. Sort files by their latest change, newest first, then by path."""
    found: dict[str, list[datetime]] = {}
    for each in changes:
        found.setdefault(each.change.path, []).append(each.at)
    by_path = [FileTally(path, len(times), max(times)) for path, times in sorted(found.items())]
    return tuple(sorted(by_path, key=lambda each: each.latest, reverse=True))


@frozen(kw_only=True)
class Removal(FileChange):
    """A change with removed lines.

    Attributes:
        fingerprints: The fingerprints in the query that belong to lines removed by this change.
    """

    fingerprints: frozenset[int]

    @property
    def path(self) -> str:
        """Path of the file when the lines were removed."""
        return self.change.path


def entry(observation: Observation, change: CodeChange, short_id: str) -> FileChange:
    """Return a change by an observation as an entry of the file's history."""
    return FileChange(
        observation=observation.id,
        short_id=short_id,
        at=observation.occurred_at,
        kind=observation.kind,
        session=observation.session,
        title=observation.title,
        source=observation.source,
        change=change,
    )


def removals(changes: Iterable[tuple[FileChange, LineFingerprints]], asked: frozenset[int]) -> tuple[Removal, ...]:
    """Return the changes that removed lines with fingerprints in `asked`, each with those fingerprints."""
    return tuple(
        Removal(**asdict(entry, recurse=False), fingerprints=gone)
        for entry, lines in changes
        if (gone := asked & lines.removed)
    )

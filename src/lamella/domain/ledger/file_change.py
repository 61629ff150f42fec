"""Entries of the ledger of code: changes of a file, and removals from it."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import asdict, field, frozen

from lamella.domain.ledger.hunk_fingerprints import LineFingerprints
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.domain.validation import aware


class TimelinePosition(NamedTuple):
    """The position of an observation in the order of time."""

    occurred_at: datetime
    sequence: int


@frozen(kw_only=True)
class FileChange:
    """Entry of a file's history: the change that one observation made, under the name that the file had then.

    Attributes:
        observation: Id of the observation.
        short_id: Its short id.
        at: Time at which it occurred.
        session: Its session, if it has one.
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
    """A file with the number of its changes, and the time of the latest."""

    path: str
    changes: int
    latest: datetime


def tallied(changes: Iterable[FileChange]) -> tuple[FileTally, ...]:
    """Count the changes of each file. The latest changed is first, files of the same time are in order of path."""
    found: dict[str, list[datetime]] = {}
    for each in changes:
        found.setdefault(each.change.path, []).append(each.at)
    by_path = [FileTally(path, len(times), max(times)) for path, times in sorted(found.items())]
    return tuple(sorted(by_path, key=lambda each: each.latest, reverse=True))


@frozen(kw_only=True)
class Removal(FileChange):
    """A change that removed lines from a file.

    Attributes:
        fingerprints: Fingerprints of the lines, of those that were asked for.
    """

    fingerprints: frozenset[int]

    @property
    def path(self) -> str:
        """Name that the file had then."""
        return self.change.path


def entry(observation: Observation, change: CodeChange, short_id: str) -> FileChange:
    """Return one change of an observation as an entry."""
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
    """Return the fingerprints of `asked` that each of a file's changes removed, but for those without any."""
    return tuple(
        Removal(**asdict(entry, recurse=False), fingerprints=gone)
        for entry, lines in changes
        if (gone := asked & lines.removed)
    )

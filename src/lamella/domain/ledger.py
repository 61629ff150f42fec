"""The ledger of code: what was changed in a file, by which memory, and what of it nobody put back.

Whether an edit walks back into that is `walking_back`.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from attrs import field, frozen

from lamella.domain.kinds import Kind
from lamella.domain.marks_of_hunks import LineMarks
from lamella.domain.observation import CodeChange, aware
from lamella.domain.walking_back import Likeness, NewCode, followed, left

__all__ = ["FileChange", "Likeness", "NewCode", "Place", "Removal", "followed", "standing"]


class Place(NamedTuple):
    """Where an observation stands in the order of time: its moment, and its sequence number."""

    moment: datetime
    sequence: int


@frozen(kw_only=True)
class FileChange:
    """One entry of a file's history: what an observation changed in it, under the name that it had then."""

    observation: UUID
    at: datetime = field(validator=aware)
    kind: Kind
    title: str
    source: str
    change: CodeChange


@frozen(kw_only=True)
class Removal:
    """What one observation took out of a file and nobody put back: the marks of it that were asked for."""

    observation: UUID
    at: datetime = field(validator=aware)
    kind: Kind
    title: str
    path: str
    marks: frozenset[int]


def standing(changes: Iterable[tuple[FileChange, LineMarks]], asked: frozenset[int]) -> tuple[Removal, ...]:
    """What of `asked` each change removed that no later one put back; `changes` are a file's, newest first."""
    return tuple(
        Removal(
            observation=entry.observation,
            at=entry.at,
            kind=entry.kind,
            title=entry.title,
            path=entry.change.path,
            marks=gone,
        )
        for entry, gone in left(changes, asked)
    )

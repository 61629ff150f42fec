"""Memories: observations, with author, time and changes of code."""

import hashlib
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import Attribute, field, frozen
from attrs.converters import optional

from lamella.domain.memories.kind import Kind
from lamella.domain.text.printing import well_formed

__all__ = ["CodeChange", "Draft", "Kind", "Observation", "aware", "not_blank"]


def not_blank(_instance: object, attribute: "Attribute[str]", value: str) -> None:
    """Refuse a blank text."""
    if not value.strip():
        raise ValueError(f"{attribute.name} must not be blank")


def aware(_instance: object, attribute: "Attribute[Any]", value: datetime | None) -> None:
    """Refuse a time without a zone."""
    if value is not None and value.tzinfo is None:
        raise ValueError(f"{attribute.name} must be an aware datetime")


@frozen(kw_only=True)
class CodeChange:
    """Change of one file, with the lines that were added and removed.

    `path` is relative to the project's root, with `/`; `former` is the path before a rename. The counts of lines
    are None if they are unknown (no git, a binary file). `hunks` is a bounded unified diff without file headers.
    """

    path: str = field(validator=not_blank, converter=well_formed)
    additions: int | None = None
    deletions: int | None = None
    hunks: str = field(default="", converter=well_formed)
    former: str | None = field(default=None, converter=optional(well_formed))


@frozen(kw_only=True)
class Draft:
    """Observation before storage gives it an id, a sequence number and times.

    Text is stored verbatim, except lone surrogates, which become U+FFFD. `request` identifies the client's call;
    a retry of the same call with the same words is the same memory.
    """

    content: str = field(validator=not_blank, converter=well_formed)
    title: str = field(default="", converter=well_formed)
    source: str = field(default="manual", converter=well_formed)
    kind: Kind = Kind.NOTE
    actor: str = field(default="agent", converter=well_formed)
    session: str | None = field(default=None, converter=optional(well_formed))
    changes: tuple[CodeChange, ...] = ()
    request: str | None = field(default=None, converter=optional(well_formed))

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint of 32 bytes of title, content, source and the set of paths."""
        paths = sorted(change.path for change in self.changes)
        said = repr((self.title, self.content, self.source, *paths))
        return hashlib.sha256(said.encode()).digest()

    def observed(
        self, *, id: UUID, project: str, sequence: int, now: datetime, occurred_at: datetime | None = None
    ) -> "Observation":
        """Return the observation that this becomes in `project`, at `now` unless a later time is given."""
        return Observation(
            id=id,
            project=project,
            origin=project,
            sequence=sequence,
            session=self.session,
            kind=self.kind,
            actor=self.actor,
            title=self.title,
            content=self.content,
            source=self.source,
            created_at=now,
            updated_at=now,
            occurred_at=occurred_at or now,
            changes=self.changes,
        )


@frozen(kw_only=True)
class Observation:
    """Stored memory. Times are aware, in UTC.

    `sequence` counts the saves of a project and is never reused. `occurred_at` orders memories by time: it
    is `created_at`, or that of the observation saved before it where the clock was set back. `origin` is the
    project it was saved in, which a merge leaves as it was.
    """

    id: UUID
    project: str
    origin: str
    sequence: int
    session: str | None
    kind: Kind
    actor: str
    title: str
    content: str
    source: str
    created_at: datetime = field(validator=aware)
    updated_at: datetime = field(validator=aware)
    purged_at: datetime | None = field(default=None, validator=aware)
    occurred_at: datetime = field(validator=aware)
    changes: tuple[CodeChange, ...] = ()

    @property
    def purged(self) -> bool:
        """True if it has been soft-deleted."""
        return self.purged_at is not None

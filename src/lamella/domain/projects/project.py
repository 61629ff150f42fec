"""Projects and their locations."""

import hashlib
import re
from datetime import datetime
from functools import cached_property
from pathlib import Path

from attrs import evolve, field, frozen
from attrs.converters import optional

from lamella.domain.projects.key import is_trace
from lamella.domain.text.printing import storable, stored_key, well_formed


@frozen(kw_only=True, repr=False, slots=False)
class Location:
    """Location of a directory, for finding its project.

    Attributes:
        key: Text that identifies the location: a kind, such as `git:`, and a path. All worktrees and subfolders of
            a repository have the same key, made of the path of git's common directory.
        name: Human-readable name.
        root: Top of the directory's working tree.
        repository: Alias of the repository, equal in every clone. None if unknown, or if the storage isn't shared
            by machines.
    """

    key: str = field(converter=storable)
    name: str = field(converter=well_formed)
    root: Path
    repository: str | None = field(default=None, converter=optional(storable))

    @property
    def in_repository(self) -> bool:
        """True if the directory is in a repository."""
        return self.key.startswith("git:")

    @property
    def alias(self) -> str:
        """First alias of a new project at this location: the repository's alias if known, else the key."""
        return self.repository or self.key

    @cached_property
    def stored_aliases(self) -> tuple[str, ...]:
        """The repository's alias if known, and the key, both converted by `stored_key`."""
        key = stored_key(self.key)
        return (stored_key(self.repository), key) if self.repository else (key,)

    @property
    def project_id(self) -> str:
        """Id of a new project, computed from name and alias, so every process computes the same id."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:40] or "project"
        return f"{slug}-{hashlib.sha256(self.alias.encode()).hexdigest()[:10]}"


@frozen
class OffPeriod:
    """Period with memory switched off in a project.

    Attributes:
        since: Time of switching memory off.
        until: Time of switching memory on again; None if memory is still off.
    """

    since: datetime
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        """Return True if memory was off at a time."""
        return self.since <= at and (self.until is None or at < self.until)


@frozen(kw_only=True)
class Project:
    """A project of a storage.

    Attributes:
        id: Stable id.
        name: Name to show to people.
        aliases: Keys of its locations, and aliases of its repository.
        created_at: Time of the first save.
        moved_to: Id of the project that has the memories of this project after a merge. None if this project
            wasn't merged.
        off: Periods with memory switched off, oldest first.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    created_at: datetime
    moved_to: str | None = None
    off: tuple[OffPeriod, ...] = ()

    @property
    def shown_aliases(self) -> tuple[str, ...]:
        """Aliases to show to people. Traces are left out, because they only identify a repository after a move."""
        return tuple(each for each in self.aliases if not is_trace(each))

    @property
    def off_since(self) -> datetime | None:
        """Time of switching memory off; None if memory is on."""
        return self.off[-1].since if self.off and self.off[-1].until is None else None

    def answers_to(self, asked: str | None) -> bool:
        """Return True if `asked` is the project's id, its name or one of its aliases."""
        return asked in (self.id, self.name, *self.aliases)

    def was_off(self, at: datetime) -> bool:
        """Return True if memory was switched off at a time."""
        return any(each.covers(at) for each in self.off)

    def switched(self, *, on: bool, now: datetime) -> "Project":
        """Return the project with memory switched on or off at `now`. No change if memory already is on or off."""
        if on == (self.off_since is None):
            return self
        if not on:
            return evolve(self, off=(*self.off, OffPeriod(now)))
        *before, last = self.off
        return evolve(self, off=(*before, evolve(last, until=max(now, last.since))))

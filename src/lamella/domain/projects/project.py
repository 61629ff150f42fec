"""Projects, and the places where they live."""

import hashlib
import re
from datetime import datetime
from pathlib import Path

from attrs import field, frozen
from attrs.converters import optional

from lamella.domain.projects.key import storable
from lamella.domain.text.printing import well_formed


@frozen(kw_only=True)
class Location:
    """A directory as a place where a project lives.

    Attributes:
        key: The same for every directory of one project: its worktrees and subfolders share a git common
            directory.
        name: Name for people.
        root: Top of the working tree that the directory is in.
        repository: Alias of the repository itself, the same in every clone; None if it isn't known, or if the
            storage is this machine's own.
    """

    key: str = field(converter=storable)
    name: str = field(converter=well_formed)
    root: Path
    repository: str | None = field(default=None, converter=optional(storable))

    @property
    def alias(self) -> str:
        """Alias of a new project here: that of the repository if it is known, else the key."""
        return self.repository or self.key

    @property
    def project_id(self) -> str:
        """Stable id of a new project here, made of the name and the alias: all processes agree on it."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:40] or "project"
        return f"{slug}-{hashlib.sha256(self.alias.encode()).hexdigest()[:10]}"


@frozen(kw_only=True)
class Project:
    """A project of a storage.

    Attributes:
        id: Stable id.
        name: Name for people.
        aliases: Keys of the locations that lead to it, and aliases of its repository.
        created_at: Time of the first save.
        moved_to: Id of the project that it was merged into, which has its memories; None if it was not merged.
    """

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    created_at: datetime
    moved_to: str | None = None

"""Projects, and the places where they live."""

import hashlib
import re
from datetime import datetime
from pathlib import Path

from attrs import field, frozen

from lamella.domain.project_key import storable
from lamella.domain.text.printing import well_formed


@frozen(kw_only=True)
class Location:
    """A directory as a place where a project lives.

    `key` is the same for every directory of one project: its worktrees and subfolders share a git common
    directory. `name` is for people. `root` is the top of the working tree that the directory is in.
    """

    key: str = field(converter=storable)
    name: str = field(converter=well_formed)
    root: Path

    @property
    def project_id(self) -> str:
        """A stable id made of the name and the key, so that processes that meet here first agree on it."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")[:40] or "project"
        return f"{slug}-{hashlib.sha256(self.key.encode()).hexdigest()[:10]}"


@frozen(kw_only=True)
class Project:
    """A stable id, a name for people and any number of aliases that lead to it."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    created_at: datetime
    moved_to: str | None = field(default=None)
    """The project that this one was merged into; its memories are there."""

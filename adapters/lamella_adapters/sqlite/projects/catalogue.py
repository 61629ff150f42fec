"""What the registry says of all projects at one moment, and how it is written down."""

from collections.abc import Mapping
from functools import cached_property

import apsw
from attrs import define

from lamella.domain.errors import AmbiguousProjectError, StorageGoneError, UnknownProjectError
from lamella.domain.project import Project
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds

PROJECT = "SELECT id, name, created_at, moved_to FROM project"
"""What a project's own file, and the registry, say of it."""


@define(eq=False, slots=False)
class Catalogue:
    """Every project by its id, in the order of names and then ids."""

    projects: Mapping[str, Project]

    @cached_property
    def by_alias(self) -> Mapping[str, Project]:
        """Every project by each of its aliases."""
        return {alias: project for project in self.projects.values() for alias in project.aliases}

    def known(self, id: str) -> Project:
        """The project with exactly this id.

        Raises:
            UnknownProjectError: there is none.
        """
        project = self.projects.get(id)
        if project is None:
            raise UnknownProjectError(asked=id)
        return project

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        known = self.projects.get(asked) or self.by_alias.get(asked)
        found = [known] if known else [each for each in self.projects.values() if asked == each.name]
        # Several that were merged into one are that one.
        ids = sorted({self.followed(each).id for each in found})
        if not ids:
            raise UnknownProjectError(asked=asked)
        if len(ids) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=ids)
        return self.projects[ids[0]]

    def followed(self, project: Project) -> Project:
        """Where the memories of `project` are.

        Raises:
            StorageGoneError: it was merged into one that is missing.
        """
        while project.moved_to is not None:
            if project.moved_to not in self.projects:
                raise missing(project.moved_to)
            project = self.projects[project.moved_to]
        return project

    def leading_to(self, id: str) -> frozenset[str]:
        """The ids of all projects that were merged into this one, at once or by way of others."""
        return frozenset(
            each.id
            for each in self.projects.values()
            if each.id != id and any(passed == id for passed in self._way(each))
        )

    def _way(self, project: Project) -> list[str]:
        way = []
        while project.moved_to is not None and project.moved_to in self.projects:
            project = self.projects[project.moved_to]
            way.append(project.id)
        return way


def read(connection: apsw.Connection) -> Catalogue:
    """What the registry says now."""
    aliases: dict[str, list[str]] = {}
    for alias, project in fetch(connection, "SELECT alias, project FROM alias"):
        aliases.setdefault(project, []).append(key_of(alias))
    return Catalogue(
        {
            id: Project(
                id=id,
                name=name,
                aliases=tuple(sorted(aliases.get(id, ()))),
                created_at=from_microseconds(created_at),
                moved_to=moved_to,
            )
            for id, name, created_at, moved_to in fetch(connection, f"{PROJECT} ORDER BY name, id")
        }
    )


def stored_key(key: str) -> bytes:
    """A location's key as it is stored: a path need not be UTF-8, and SQLite's text must be."""
    return key.encode(errors="surrogatepass")


def key_of(stored: bytes) -> str:
    """The key that `stored` stands for."""
    return stored.decode(errors="surrogatepass")


def missing(project: str) -> StorageGoneError:
    """A project is known, and its file is not there."""
    return StorageGoneError(
        reason=f"The memory file of project {project} is missing.",
        advice="Put it back if you moved it, or run: lamella doctor",
    )

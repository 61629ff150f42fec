"""Catalogue of all projects, as the registry holds it at one point in time."""

from collections.abc import Mapping
from functools import cached_property

import apsw
from attrs import define

from lamella.domain.errors import AmbiguousProjectError, StorageGoneError, UnknownProjectError
from lamella.domain.projects.key import key_from_bytes
from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.text.keys import stored_key
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds

READ_PROJECT = "SELECT id, name, created_at, moved_to FROM project"
"""Query that the registry and a project's own file both answer."""

_READ_OFF = "SELECT project, since, until FROM off_period ORDER BY since"


@define(eq=False, slots=False)
class Catalogue:
    """Every project by its id, in the order of names and then ids."""

    projects: Mapping[str, Project]

    @cached_property
    def by_alias(self) -> Mapping[str, Project]:
        """Map each alias to its project."""
        return {alias: project for project in self.projects.values() for alias in project.aliases}

    def known(self, id: str) -> Project:
        """Return the project with exactly this id.

        Raises:
            UnknownProjectError: there is none.
        """
        project = self.projects.get(id)
        if project is None:
            raise UnknownProjectError(asked=id)
        return project

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        one = self.projects.get(asked) or self.by_alias.get(stored_key(asked))
        found = [one] if one else [each for each in self.projects.values() if each.name == asked]
        # Several projects that were merged into one count as that one.
        ids = sorted({self.followed(each).id for each in found})
        if not ids:
            raise UnknownProjectError(asked=asked)
        if len(ids) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=ids)
        return self.projects[ids[0]]

    def followed(self, project: Project) -> Project:
        """Return the project that has the memories of `project`.

        Raises:
            StorageGoneError: it was merged into one that is missing.
        """
        while project.moved_to is not None:
            if project.moved_to not in self.projects:
                raise missing_file(project.moved_to)
            project = self.projects[project.moved_to]
        return project

    def leading_to(self, id: str) -> frozenset[str]:
        """Return the ids of all projects that were merged into this one, directly or by way of others."""
        found = {id}
        while more := {each.id for each in self.projects.values() if each.moved_to in found} - found:
            found |= more
        return frozenset(found - {id})


def read_catalogue(connection: apsw.Connection) -> Catalogue:
    """Read the catalogue from the registry.

    Raises:
        StorageDamagedError: a table is missing, or a value is none that lamella writes.
    """
    try:
        return _read(connection)
    except (apsw.SQLError, AttributeError, TypeError, ValueError, OverflowError) as error:
        raise damaged() from error


def _read(connection: apsw.Connection) -> Catalogue:
    aliases: dict[str, list[str]] = {}
    for alias, project in fetch(connection, "SELECT alias, project FROM alias"):
        # Files keep an alias whole, as hooks look for it.
        aliases.setdefault(project, []).append(stored_key(key_from_bytes(alias)))
    off: dict[str, list[OffPeriod]] = {}
    # A registry that an earlier version wrote, and that cannot be written.
    if fetch(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'off_period'"):
        for project, since, until in fetch(connection, _READ_OFF):
            ended = None if until is None else from_microseconds(until)
            off.setdefault(project, []).append(OffPeriod(from_microseconds(since), ended))
    return Catalogue(
        {
            id: Project(
                id=id,
                name=name,
                aliases=tuple(sorted(aliases.get(id, ()))),
                created_at=from_microseconds(created_at),
                moved_to=moved_to,
                off=tuple(off.get(id, ())),
            )
            for id, name, created_at, moved_to in fetch(connection, f"{READ_PROJECT} ORDER BY name, id")
        }
    )


def missing_file(project: str) -> StorageGoneError:
    """Return the error for a known project whose file is missing."""
    return StorageGoneError(
        reason=f"The memory file of project {project} is missing.",
        advice="Put it back if you moved it, or run: lamella doctor",
    )

"""Merges and splits of projects, each recorded in the projects' files before any row moves."""

from collections.abc import Callable

import apsw
from attrs import define

from lamella.domain.errors import ProjectChangeError
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.catalogue import Catalogue
from lamella_adapters.sqlite.projects.scope import ProjectFile
from lamella_adapters.sqlite.projects.transfer import move_memories
from lamella_adapters.sqlite.tables.erased_messages import copy_erased


@define(eq=False)
class Merger:
    """Merges and splits of the projects in one registry.

    `file_of` gives the file of a project, `catalogue` what the registry knows, and `registry` its own database.
    """

    file_of: Callable[[str], ProjectFile]
    catalogue: Callable[[], Catalogue]
    registry: Callable[[], Database]

    def merge(self, old: str, new: str) -> int:
        """See `ProjectRegistry.merge`."""
        for project in (old, new):
            self.catalogue().known(project)
        # The files decide, because a merge may have been interrupted before the registry knew of it. The write
        # lock lets one merge decide at a time, so two can't lead to each other.
        with self.registry().writing() as connection:
            target, moved_to = self._home(new), self._moved_to(old)
            if moved_to not in (None, target):
                raise ProjectChangeError(reason=f"{old} is merged into {moved_to} already.")
            if old == target:
                raise ProjectChangeError(reason="A project cannot be merged into itself.")
            # First of all, so that nothing is imported there that was erased here.
            source, destination = self.file_of(old).database, self.file_of(target).database
            with source.reading() as leaving, destination.writing() as arriving:
                copy_erased(leaving, arriving)
            self._mark(connection, old, target)
        return move_memories(source, destination)

    def split(self, old: str) -> int:
        """See `ProjectRegistry.split`."""
        known = self.catalogue()
        moved_to, home = known.known(old).moved_to, self._home(old)
        if home == old and moved_to is None:
            raise ProjectChangeError(reason=f"{old} was not merged into another project.")
        moved = 0
        if home != old:
            origins = [old, *known.leading_to(old)]
            moved = move_memories(self.file_of(home).database, self.file_of(old).database, origins=origins)
        with self.registry().writing() as connection:
            self._mark(connection, old, None)
        return moved

    def _moved_to(self, project: str) -> str | None:
        """Return the project that has the rows, as the project's own file says; None if it has them itself."""
        with self.file_of(project).database.reading() as connection:
            moved_to: str | None = connection.execute("SELECT moved_to FROM project").get
            return moved_to

    def _home(self, project: str) -> str:
        while (moved_to := self._moved_to(project)) is not None:
            project = moved_to
        return project

    def _mark(self, registry: apsw.Connection, project: str, moved_to: str | None) -> None:
        """Record where the rows are, first in the project's own file and then in the registry."""
        with self.file_of(project).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (moved_to,))
        registry.execute("UPDATE project SET moved_to = ? WHERE id = ?", (moved_to, project))

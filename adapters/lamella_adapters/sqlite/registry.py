"""The projects of a data directory: a small database beside their files, which can be rebuilt from them."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Lock

from attrs import define, field

from lamella.domain.errors import (
    AmbiguousProjectError,
    ProjectChangeError,
    StorageError,
    StorageGoneError,
    UnknownProjectError,
)
from lamella.domain.projects import Location, Project
from lamella.ports.projects import ProjectRegistry
from lamella_adapters.sqlite import files, schema
from lamella_adapters.sqlite.connection import in_our_words
from lamella_adapters.sqlite.database import Database
from lamella_adapters.sqlite.moving import move
from lamella_adapters.sqlite.rows import from_microseconds, to_microseconds
from lamella_adapters.sqlite.scope import ProjectFile
from lamella_adapters.sqlite.statistics import TermStatistics

_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_PROJECT = "SELECT id, name, created_at, moved_to FROM project"
_PUT = "INSERT OR REPLACE INTO project VALUES (?, ?, ?, ?)"
_PUT_ALIAS = "INSERT OR IGNORE INTO alias VALUES (?, ?)"


@define(eq=False)
class SqliteRegistry(ProjectRegistry):
    """`registry.db`, and one file for each project in `projects/`."""

    folder: Path
    _open: dict[str, ProjectFile] = field(factory=dict)
    _lock: Lock = field(factory=Lock)
    _database: Database | None = None

    @property
    def projects_folder(self) -> Path:
        """Where the files of the projects are."""
        return self.folder / "projects"

    @property
    def path(self) -> Path:
        """The registry's own file."""
        return self.folder / "registry.db"

    def file_of(self, project: str) -> ProjectFile:
        """The file of the project with exactly this id; the same object for every caller.

        Raises:
            UnknownProjectError: nobody has heard of it.
            StorageGoneError: it is known, and its file is missing.
        """
        with self._lock:
            if project not in self._open:
                path = self.path_of(project)
                if not path.is_file():
                    self.known(project)
                    raise _missing(project)
                self._open[project] = ProjectFile(
                    project,
                    Database(path, schema.PROJECT),
                    TermStatistics("search"),
                    TermStatistics("search_purged"),
                )
            return self._open[project]

    def known(self, id: str) -> Project:
        """The project with exactly this id.

        Raises:
            UnknownProjectError: there is none.
        """
        for project in self.all():
            if project.id == id:
                return project
        raise UnknownProjectError(asked=id)

    def path_of(self, project: str) -> Path:
        """Where the file of the project with this id is, or would be.

        Raises:
            UnknownProjectError: no project could have this id.
        """
        if not _ID.fullmatch(project):
            raise UnknownProjectError(asked=project)
        return self.projects_folder / f"{project}.db"

    def merged_into(self, project: str) -> Iterator[ProjectFile]:
        """The files of the projects that were merged straight into this one."""
        return (self.file_of(each.id) for each in self.all() if each.moved_to == project)

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        with self._registry().reading() as connection:
            aliases: dict[str, list[str]] = {}
            for alias, project in connection.execute("SELECT alias, project FROM alias ORDER BY alias"):
                aliases.setdefault(project, []).append(alias)
            return tuple(
                Project(
                    id=id,
                    name=name,
                    aliases=tuple(aliases.get(id, ())),
                    created_at=from_microseconds(created_at),
                    moved_to=moved_to,
                )
                for id, name, created_at, moved_to in connection.execute(f"{_PROJECT} ORDER BY name, id")
            )

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        projects = self.all()
        found = [each for each in projects if asked == each.id or asked in each.aliases]
        found = found or [each for each in projects if asked == each.name and each.moved_to is None]
        if not found:
            raise UnknownProjectError(asked=asked)
        if len(found) > 1:
            raise AmbiguousProjectError(asked=asked, candidates=[each.id for each in found])
        return self._followed(found[0])

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        known = self._living_at(location)
        if known is None:
            project, created_at = location.project_id, to_microseconds(now)
            self.make_file(project, location.name, created_at, (location.key,))
            with self._registry().writing() as connection:
                connection.execute(
                    "INSERT OR IGNORE INTO project VALUES (?, ?, ?, NULL)", (project, location.name, created_at)
                )
                connection.execute(_PUT_ALIAS, (location.key, project))
            known = self.known(project)
        return self._followed(known)

    def merge(self, old: str, new: str) -> int:
        """See `ProjectRegistry.merge`."""
        source, target = self.known(old), self._followed(self.known(new))
        if source.moved_to not in (None, target.id):
            raise ProjectChangeError(reason=f"{old} is merged into {source.moved_to} already.")
        if source.id == target.id:
            raise ProjectChangeError(reason="A project cannot be merged into itself.")
        self._mark(old, target.id)
        return move(self.file_of(old).database, self.file_of(target.id).database)

    def split(self, old: str) -> int:
        """See `ProjectRegistry.split`."""
        source = self.known(old)
        if source.moved_to is None:
            raise ProjectChangeError(reason=f"{old} was not merged into another project.")
        holder = self.file_of(self._followed(source).id).database
        moved = move(holder, self.file_of(old).database, origin=old)
        self._mark(old, None)
        return moved

    def make_file(self, project: str, name: str, created_at: int, aliases: tuple[str, ...]) -> None:
        """Makes the file of a project, unless it is there; it names its project, so that we can be rebuilt."""
        with in_our_words():
            files.own_directory(self.folder)
            files.own_directory(self.projects_folder)
            files.create(
                self.path_of(project),
                schema.PROJECT,
                [
                    ("INSERT INTO project VALUES (?, ?, ?, NULL)", (project, name, created_at)),
                    *(("INSERT INTO alias VALUES (?)", (alias,)) for alias in aliases),
                ],
            )

    def close(self) -> None:
        """Closes every file that no other thread is using."""
        for database in [*(file.database for file in self._open.values()), self._database]:
            if database is not None:
                database.close()

    def _registry(self) -> Database:
        """The registry, made from the files of the projects where there is none."""
        if not self.path.exists():
            with in_our_words():
                files.own_directory(self.folder)
                files.create(self.path, schema.REGISTRY, self._contents())
        if self._database is None:
            self._database = Database(self.path, schema.REGISTRY)
        return self._database

    def _contents(self) -> list[tuple[str, tuple[object, ...]]]:
        """The statements that write what the files of the projects say of themselves."""
        statements: list[tuple[str, tuple[object, ...]]] = []
        for path in sorted(self.projects_folder.glob("*.db")):
            try:
                with Database(path, schema.PROJECT).reading() as connection:
                    project = connection.execute(_PROJECT).fetchall()[0]
                    aliases = connection.execute("SELECT alias FROM alias").fetchall()
            except StorageError:
                # A file that cannot be read is doctor's to report; the others are as good as before.
                continue
            statements.append((_PUT, project))
            statements += [(_PUT_ALIAS, (alias, project[0])) for (alias,) in aliases]
        return statements

    def _living_at(self, location: Location) -> Project | None:
        for project in self.all():
            if location.key in project.aliases:
                return project
        return None

    def _followed(self, project: Project) -> Project:
        projects = {each.id: each for each in self.all()}
        while project.moved_to is not None:
            project = projects[project.moved_to]
        return project

    def _mark(self, project: str, moved_to: str | None) -> None:
        """Says in a project's own file, and then here, where its rows are."""
        with self.file_of(project).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (moved_to,))
        with self._registry().writing() as connection:
            connection.execute("UPDATE project SET moved_to = ? WHERE id = ?", (moved_to, project))


def _missing(project: str) -> StorageGoneError:
    return StorageGoneError(
        reason=f"The memory file of project {project} is missing.",
        advice="Put it back if you moved it, or run: lamella doctor",
    )

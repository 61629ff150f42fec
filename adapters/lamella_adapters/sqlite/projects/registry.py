"""The projects of a data directory: a small database beside their files, which can be rebuilt from them."""

import re
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Lock

import apsw
from attrs import define, field

from lamella.domain.errors import ProjectChangeError, StorageError, UnknownProjectError
from lamella.domain.project import Location, Project
from lamella.domain.text.printing import well_formed
from lamella.ports.storage.projects import ProjectRegistry
from lamella_adapters.sqlite.file import files
from lamella_adapters.sqlite.file.connection import fetch, in_our_words
from lamella_adapters.sqlite.file.database import Database, Version
from lamella_adapters.sqlite.projects import catalogue
from lamella_adapters.sqlite.projects.catalogue import Catalogue
from lamella_adapters.sqlite.projects.merge import move
from lamella_adapters.sqlite.projects.scope import ProjectFile
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.tables.erased_messages import carry
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds
from lamella_adapters.sqlite.tables.term_statistics import TermStatistics

_ID = re.compile(r"[a-z0-9][a-z0-9-]*")
_PUT = "INSERT OR IGNORE INTO project VALUES (?, ?, ?, ?)"
_PUT_ALIAS = "INSERT OR IGNORE INTO alias VALUES (?, ?)"

_Statement = tuple[str, tuple[object, ...]]


@define(eq=False)
class SqliteRegistry(ProjectRegistry):
    """`registry.db`, and one file for each project in `projects/`."""

    folder: Path
    _open: dict[str, ProjectFile] = field(factory=dict)
    _lock: Lock = field(factory=Lock)
    _database: Database = field(init=False)
    path: Path = field(init=False)
    """The registry's own file."""
    _read: tuple[Version, Catalogue] | None = None
    """The catalogue as it was read last, and the version that the file had then."""

    def __attrs_post_init__(self) -> None:
        self.path = self.folder / "registry.db"
        self._database = Database(self.path, migrations.REGISTRY)

    @property
    def projects_folder(self) -> Path:
        """Where the files of the projects are."""
        return self.folder / "projects"

    def file_of(self, project: str) -> ProjectFile:
        """The file of the project with exactly this id; the same object for every caller.

        Raises:
            UnknownProjectError: nobody has heard of it.
            StorageGoneError: it is known, and its file is missing.
        """
        with self._lock:
            if project not in self._open:
                path = self.path_of(project)
                with in_our_words():
                    missing = not files.is_there(path)
                if missing:
                    self.known(project)
                    raise catalogue.missing(project)
                self._open[project] = ProjectFile(
                    project,
                    Database(path, migrations.PROJECT),
                    TermStatistics("search"),
                    TermStatistics("search_purged"),
                )
            return self._open[project]

    def known(self, id: str) -> Project:
        """The project with exactly this id.

        Raises:
            UnknownProjectError: there is none.
        """
        return self._catalogue().known(id)

    def path_of(self, project: str) -> Path:
        """Where the file of the project with this id is, or would be.

        Raises:
            UnknownProjectError: no project could have this id.
        """
        if not _ID.fullmatch(project):
            raise UnknownProjectError(asked=project)
        return self.projects_folder / f"{project}.db"

    def project_files(self) -> list[Path]:
        """The files that are there, whatever the registry says, in the order of their names.

        Raises:
            StorageError: nobody may look.
        """
        with in_our_words():
            # Unlike a pattern, this raises where the folder may not be read.
            there = sorted(self.projects_folder.iterdir()) if files.is_there(self.projects_folder) else []
        return [path for path in there if path.suffix == ".db" and not path.name.startswith(".")]

    def leading_to(self, project: str) -> frozenset[str]:
        """The ids of all projects that were merged into this one, at once or by way of others."""
        return self._catalogue().leading_to(project)

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        return tuple(self._catalogue().projects.values())

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        return self._catalogue().named(asked)

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        known = self._catalogue()
        project = known.by_alias.get(location.key)
        return None if project is None else known.followed(project)

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        self.made()
        known = self._remembered()
        if location.key not in known.by_alias:
            aliases = (location.key,)
            self.make_file(location.project_id, well_formed(location.name), to_microseconds(now), aliases)
            with self.made().writing() as connection:
                for statement, values in _said_by(self.path_of(location.project_id)):
                    connection.execute(statement, values)
                connection.execute(_PUT_ALIAS, (catalogue.stored_key(location.key), location.project_id))
            known = self._remembered()
        return known.followed(known.by_alias[location.key])

    def merge(self, old: str, new: str) -> int:
        """See `ProjectRegistry.merge`."""
        for project in (old, new):
            self.known(project)
        # What the files say counts, for a merge may have been broken off before the registry knew of it; and only
        # one merge at a time decides, so that no two lead to each other.
        with self.made().writing() as connection:
            target, moved_to = self._home(new), self._moved_to(old)
            if moved_to not in (None, target):
                raise ProjectChangeError(reason=f"{old} is merged into {moved_to} already.")
            if old == target:
                raise ProjectChangeError(reason="A project cannot be merged into itself.")
            # Before anything is imported there that was erased here.
            source, destination = self.file_of(old).database, self.file_of(target).database
            with source.reading() as leaving, destination.writing() as arriving:
                carry(leaving, arriving)
            self._mark(connection, old, target)
        return move(source, destination)

    def split(self, old: str) -> int:
        """See `ProjectRegistry.split`."""
        known = self._catalogue()
        moved_to, home = known.known(old).moved_to, self._home(old)
        if home == old and moved_to is None:
            raise ProjectChangeError(reason=f"{old} was not merged into another project.")
        moved = 0
        if home != old:
            origins = [old, *known.leading_to(old)]
            moved = move(self.file_of(home).database, self.file_of(old).database, origins=origins)
        with self.made().writing() as connection:
            self._mark(connection, old, None)
        return moved

    def make_file(
        self, project: str, name: str, created_at: int, aliases: tuple[str, ...], moved_to: str | None = None
    ) -> None:
        """Makes the file of a project, unless it is there; it names its project, so that we can be rebuilt."""
        with in_our_words():
            files.own_directory(self.folder)
            files.own_directory(self.projects_folder)
            files.create(
                self.path_of(project),
                migrations.PROJECT,
                [
                    ("INSERT INTO project VALUES (?, ?, ?, ?)", (project, name, created_at, moved_to)),
                    *(("INSERT INTO alias VALUES (?)", (catalogue.stored_key(alias),)) for alias in aliases),
                ],
            )

    def made(self) -> Database:
        """The registry's file, made from the files of the projects where there is none."""
        with in_our_words():
            if not files.is_there(self.path):
                files.own_directory(self.folder)
                files.create(self.path, migrations.REGISTRY, self._contents())
        return self._database

    def tidy(self) -> bool:
        """See `Storage.tidy`; of the files that this process has written to."""
        did = [file.database.tidy(migrations.TIDYING) for file in list(self._open.values())]
        return any(did)

    def close(self) -> None:
        """Closes every file that no other thread is using, and leaves those tidy that were written to."""
        self.tidy()
        for database in [*(file.database for file in list(self._open.values())), self._database]:
            database.close()

    def _catalogue(self) -> Catalogue:
        """What the registry says now, read anew only when it has changed; or would say, where there is none."""
        with in_our_words():
            missing = not files.is_there(self.path)
        return self._recollected() if missing else self._remembered()

    def _remembered(self) -> Catalogue:
        """What the registry's file says now."""
        version, read = self._database.version(), self._read
        if read is not None and read[0] == version:
            return read[1]
        with self._database.reading() as connection:
            now = catalogue.read(connection)
            # Own writes go through another connection, so that they count as those of others.
            self._read = ((connection, connection.execute("PRAGMA data_version").get), now)
            return now

    def _recollected(self) -> Catalogue:
        """What the files of the projects say, for readers: they make no registry."""
        with in_our_words(), closing(apsw.Connection(":memory:")) as connection:
            for migration in migrations.REGISTRY:
                connection.execute(migration).fetchall()
            for statement, values in self._contents():
                connection.execute(statement, values)
            return catalogue.read(connection)

    def _contents(self) -> list[_Statement]:
        """The statements that write what the files of the projects say of themselves."""
        statements: list[_Statement] = []
        for path in self.project_files():
            try:
                statements += _said_by(path)
            except StorageError:
                # A file that cannot be read is doctor's to report; the others are as good as before.
                continue
        return statements

    def _moved_to(self, project: str) -> str | None:
        """Where a project's own file says that its rows are; None if it has them."""
        with self.file_of(project).database.reading() as connection:
            moved_to: str | None = connection.execute("SELECT moved_to FROM project").get
            return moved_to

    def _home(self, project: str) -> str:
        while (moved_to := self._moved_to(project)) is not None:
            project = moved_to
        return project

    def _mark(self, registry: apsw.Connection, project: str, moved_to: str | None) -> None:
        """Says in a project's own file, and then in the registry, where its rows are."""
        with self.file_of(project).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (moved_to,))
        registry.execute("UPDATE project SET moved_to = ? WHERE id = ?", (moved_to, project))


def _said_by(path: Path) -> list[_Statement]:
    """The statements that write into the registry what a project's file says of itself."""
    database = Database(path, migrations.PROJECT)
    try:
        with database.reading() as connection:
            (project,) = fetch(connection, catalogue.PROJECT)
            aliases = fetch(connection, "SELECT alias FROM alias")
    finally:
        database.close()
    return [(_PUT, project), *((_PUT_ALIAS, (alias, project[0])) for (alias,) in aliases)]

"""Registry of the projects in a data directory: a small database. It can be rebuilt from projects' files."""

# ruff: noqa: PLC0415 - most programs move no memories

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import apsw
from attrs import define, evolve, field

from lamella.domain.errors import StorageError, StorageGoneError, UnknownProjectError
from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.registry import KeepOff, LeadTo, MakeProject, RegistryPlan, RegistryWrite
from lamella.ports.storage.projects import ProjectRegistry, T
from lamella_adapters.sqlite.file.connection import failure, translated_sqlite_errors
from lamella_adapters.sqlite.file.create import create
from lamella_adapters.sqlite.file.database import Database, Version
from lamella_adapters.sqlite.file.folders import is_there, own_data_directory, own_directory
from lamella_adapters.sqlite.file.migrate import empty
from lamella_adapters.sqlite.projects import catalogue
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.schema import migrations

if TYPE_CHECKING:
    from lamella.domain.audit.entry import Signature
    from lamella.domain.transactions.merging import Move


@define(eq=False, repr=False, slots=False)
class SqliteRegistry(ProjectRegistry):
    """The file `registry.db`, and one file for each project in `projects/`."""

    folder: Path
    _open: dict[str, ProjectFile] = field(factory=dict)
    _lock: Lock = field(factory=Lock)
    _database: Database = field(init=False)
    path: Path = field(init=False)
    """Path of the registry's own file."""
    _seen: bool = field(init=False)
    """True if files were found before. If all are gone later, their disk is probably missing: create none."""
    _cached: tuple[Version, Catalogue] | None = None
    """Latest catalogue, with the version of the registry's file at that time."""

    def __attrs_post_init__(self) -> None:
        self.path = self.folder / "registry.db"
        self._database = Database(self.path, migrations.REGISTRY)
        self._seen = os.path.exists(self.path)  # noqa: PTH110 - unlike `Path.exists` it never raises

    @property
    def projects_folder(self) -> Path:
        """Folder of the projects' files."""
        return self.folder / "projects"

    def file_of(self, project: str) -> ProjectFile:
        """Return the file of the project with the id `project`. Every caller gets the same object.

        Raises:
            UnknownProjectError: No project has this id.
            StorageGoneError: The project is registered, but its file is missing.
        """
        with self._lock:
            if project not in self._open:
                path = self.path_of(project)
                if not is_there(path):
                    self.catalogue().known(project)
                    raise failure("no-file", project=project)
                self._open[project] = ProjectFile(project, Database(path, migrations.PROJECT))
            return self._open[project]

    def path_of(self, project: str) -> Path:
        """Return the path for the file of the project with the id `project`. The file need not exist.

        Raises:
            UnknownProjectError: The id is invalid.
        """
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", project):
            raise UnknownProjectError(asked=project)
        return self.projects_folder / f"{project}.db"

    def project_files(self) -> list[Path]:
        """Return all existing files of projects, sorted by name. Some may be unregistered.

        Raises:
            StorageError: The folder cannot be read.
        """
        with translated_sqlite_errors:
            # Unlike `glob`, this raises an error without permission to read the folder.
            there = sorted(self.projects_folder.iterdir()) if is_there(self.projects_folder) else []
        return [path for path in there if path.suffix == ".db" and not path.name.startswith(".")]

    def catalogue(self) -> Catalogue:
        """Return the present catalogue. It is read again only if the registry's file has changed.

        If the registry is missing, the catalogue is read from the files of the projects.
        """
        try:
            version, cached = self._database.version(), self._cached
            if cached is not None and cached[0] == version:
                return cached[1]
            with self._database.reading() as connection:
                now = catalogue.read_catalogue(connection)
                self._seen = True
                # Our own writes use another connection, so they change the version, too.
                self._cached = ((connection, connection.execute("PRAGMA data_version").get), now)
                return now
        except StorageGoneError:
            # Check only now whether the file exists: every call reads the catalogue, so a check before each read
            # would be slow. If the file exists, another process has just created it, so try again.
            return self.catalogue() if self.is_there() else self._from_files()

    def look(self, look: ProjectLook) -> Catalogue:
        """See `ProjectRegistry.look`."""
        del look
        return self.catalogue()

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`. A save creates the registry if it is missing."""
        self.ensure_database()
        return super().at(location, now=now)

    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        """See `ProjectRegistry.transact`."""
        # Decide once before creating the registry, so that a rejected change doesn't create one.
        decide(self.look(look))
        with self.ensure_database().writing() as connection:
            plan, outcome = decide(catalogue.read_catalogue(connection))
            for write in plan:
                self._write(connection, write)
        return outcome

    def _write(self, registry: apsw.Connection, write: RegistryWrite) -> None:
        """Change the file of a project, and then its entry in the registry."""
        match write:
            case MakeProject(project):
                if self.make_file(project):
                    catalogue.put_project(registry, project)
                else:
                    catalogue.register(registry, self.path_of(project.id))
                catalogue.lead_to(registry, project.id, project.aliases)
                if project.off:
                    self._write(registry, KeepOff(project))
            case LeadTo(id, aliases):
                with self.file_of(id).database.writing() as connection:
                    catalogue.keep_aliases(connection, aliases)
                catalogue.lead_to(registry, id, aliases)
            case KeepOff(project):
                catalogue.keep_off(registry, self.file_of(project.id).database, project)

    def move(self, look: ProjectLook, decide: Callable[[Catalogue], Move], *, by: Signature) -> int:
        """See `ProjectRegistry.move`."""
        for project in look.ids:
            self.catalogue().known(project)
        move = decide(self._as_files_say(*look.ids, merged=look.families))
        return self._split(move, by) if move.origins else self._merge(look, decide, by)

    def _merge(self, look: ProjectLook, decide: Callable[[Catalogue], Move], by: Signature) -> int:
        from lamella_adapters.sqlite.projects.transfer import move_memories
        from lamella_adapters.sqlite.tables.audit_rows import write_move
        from lamella_adapters.sqlite.tables.erased_rows import copy_erased

        # Read the state of merges from the files, because an interrupted merge may be missing in the registry.
        # Only one merge at a time can decide, under the write lock, so two merges can't form a cycle.
        with self.ensure_database().writing() as connection:
            move = decide(self._as_files_say(*look.ids))
            old, home = move.old, move.home
            # Copy the erasure marks first, so that the target never imports text erased in this project.
            source, target = self.file_of(old).database, self.file_of(home).database
            with source.reading() as leaving, target.writing() as arriving:
                copy_erased(leaving, arriving)
            # The audit entry of the merge is written into the old project's file, and moves with the other rows.
            # So it reaches `home` together with the memories.
            note = partial(write_move, action=move.action, by=by, origin=home, old=old, new=home)
            self._mark(connection, old, home, None if move.again else note)
        return move_memories(source, target)

    def _split(self, move: Move, by: Signature) -> int:
        from lamella_adapters.sqlite.projects.transfer import move_memories
        from lamella_adapters.sqlite.tables.audit_rows import copy_entry, write_move

        old, home = move.old, move.home
        # An interrupted split may have changed `moved_to` in the file, but not in the registry.
        marked = self._moved_to(old) is None
        source, target = self.file_of(home).database, self.file_of(old).database
        moved = 0 if marked else move_memories(source, target, move)
        with self.ensure_database().writing() as connection:
            note = partial(write_move, action=move.action, by=by, origin=old, old=old, new=home)
            self._mark(connection, old, None, None if marked else note)
        if not marked:
            with target.reading() as leaving, source.writing() as arriving:
                copy_entry(leaving, arriving, move.action, home)
        return moved

    def make_file(self, project: Project) -> bool:
        """Create the file of a project, enough to rebuild the registry. Return False if it already exists."""
        with translated_sqlite_errors:
            self.is_there()
            own_data_directory(self.folder)
            own_directory(self.projects_folder)
            return create(
                self.path_of(project.id), migrations.PROJECT, partial(catalogue.identify, project=project)
            )

    def ensure_database(self) -> Database:
        """Return the registry's database. If it is missing, create it from the files of the projects."""
        with translated_sqlite_errors:
            if not self.is_there():
                own_data_directory(self.folder)
                create(self.path, migrations.REGISTRY, self._register_all)
        return self._database

    def maintain(self) -> bool:
        """See `Storage.maintain`. Only files opened by this process are maintained."""
        return max((file.maintain() for file in list(self._open.values())), default=False)

    def close(self) -> None:
        """Run a step of index maintenance, and close all files that no other thread uses."""
        self.maintain()
        for database in [*(file.database for file in list(self._open.values())), self._database]:
            database.close()

    def is_there(self) -> bool:
        """Return True if the registry's file exists.

        Raises:
            StorageGoneError: The registry and all project files were deleted while in use.
        """
        seen, registered = self._seen, is_there(self.path)  # in this order: a thread may create the registry now
        if not registered and not is_there(self.projects_folder):
            if seen:
                raise failure("no-folder")
            return False
        self._seen = True
        return registered

    def _from_files(self) -> Catalogue:
        """Read the catalogue from the projects' files. Readers do this, as they must not create a registry."""
        with translated_sqlite_errors, closing(apsw.Connection(":memory:")) as connection:
            connection.deserialize("main", empty(tuple(migrations.REGISTRY)))
            self._register_all(connection)
            return catalogue.read_catalogue(connection)

    def _register_all(self, connection: apsw.Connection) -> None:
        """Register every project with a readable file."""
        for path in self.project_files():
            # `doctor` reports an unreadable file; the other projects stay usable.
            with suppress(StorageError):
                catalogue.register(connection, path)

    def _moved_to(self, project: str) -> str | None:
        """Return the id of the project that `project` was merged into, according to the file of `project`."""
        with self.file_of(project).database.reading() as connection:
            moved_to: str | None = connection.execute("SELECT moved_to FROM project").get
            return moved_to

    def _as_files_say(self, *projects: str, merged: bool = False) -> Catalogue:
        """Return the catalogue. For `projects` and their merge targets, read the merges from the projects' files.

        Args:
            *projects: Ids of the projects.
            merged: True to keep merges that are stored in the registry, but not in a file.
        """
        known = dict(self.catalogue().projects)
        asked = list(projects)
        while asked:
            each = asked.pop()
            registered = self.catalogue().known(each)
            said = self._moved_to(each) or (registered.moved_to if merged else None)
            known[each] = evolve(registered, moved_to=said)
            asked += filter(None, [known[each].moved_to])
        return Catalogue.of(known.values())

    def _mark(
        self,
        registry: apsw.Connection,
        project: str,
        moved_to: str | None,
        note: Callable[[apsw.Connection], None] | None,
    ) -> None:
        """Record that `moved_to` has the rows of `project`. Write to its file first, then to the registry."""
        with self.file_of(project).database.writing() as connection:
            connection.execute("UPDATE project SET moved_to = ?", (moved_to,))
            if note is not None:
                note(connection)
        registry.execute("UPDATE project SET moved_to = ? WHERE id = ?", (moved_to, project))

"""Checks of one project's file."""

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
from attrs import define

from lamella.domain import errors
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor import derived, rows
from lamella_adapters.sqlite.doctor.check import Check, fault, fine, warning
from lamella_adapters.sqlite.doctor.recovery.recover import recover
from lamella_adapters.sqlite.erasure import finish_erasing, unfinished
from lamella_adapters.sqlite.file import folders, migrate, write_queue
from lamella_adapters.sqlite.file.connection import beside, connect, fetch, translated_sqlite_errors, version_of
from lamella_adapters.sqlite.projects import catalogue, scope, transfer
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds

_MAX_COMPLAINTS = 100
"""Number of faults after which SQLite stops its integrity check."""
_LONG_BYTES = 16 << 20
"""Size in bytes from which a write-ahead log is reported.

SQLite normally empties the log at some 4 MB, and no single save or import makes it grow to this size.
"""


@define(eq=False)
class ProjectChecks:
    """Checks of one project's file. The file may be damaged or missing, or belong to another program."""

    registry: SqliteRegistry
    project: str

    @property
    def subject(self) -> str:
        """Name of the project, as the subject of all findings about its file."""
        return f"project {self.project}"

    def all(self) -> Iterator[Check]:
        """Yield the results of all checks. Stop after the first sign of damage."""
        try:
            yield from self._file(self.registry.file_of(self.project))
        except errors.UnknownProjectError:
            yield warning(self.subject, "a file not made by lamella")
        except errors.StorageDamagedError as error:
            yield self._unreadable(error)
        except errors.StorageGoneError as error:
            yield fault(self.subject, error.reason, "begin an empty one", self._begin_again)
        except errors.StorageError as error:
            # SQLite rejects one of our statements, so names in the schema have been changed.
            if isinstance(error.__cause__, apsw.SQLError):
                yield self._recoverable(f"SQLite does not understand its schema: {error.__cause__}")
            else:
                yield fault(self.subject, str(error))
        except Exception as error:  # noqa: BLE001 - continue with the other projects
            yield fault(self.subject, f"it can't be checked: {type(error).__name__}: {error}")

    def _file(self, file: ProjectFile) -> Iterator[Check]:
        if broken := _first_complaint(file):
            yield self._recoverable(f"SQLite finds it broken: {broken}")
            return
        with file.database.examining() as connection:
            altered_schema = migrate.is_altered(connection, file.database.migrations)
        if altered_schema:
            yield self._recoverable("its schema is not what lamella made")
            return
        # Read the save counter before counting rows. In the opposite order, a save in between would raise the
        # counter, but not the count.
        noted = scope.noted_count(file.note)
        with file.database.examining() as connection:
            migrate.require_known_shape(connection, file.database.migrations)
            saved = scope.count_saved(connection)
            memories = connection.execute("SELECT count(*) FROM observation").get
            messages = connection.execute("SELECT count(*) FROM message").get
            moved_to = connection.execute("SELECT moved_to FROM project").get
            erased = len(unfinished(connection))
            altered = len([*rows.altered_memories(connection), *rows.altered_rows(connection)])
        if altered:
            yield self._recoverable(f"{altered} memories or other rows are not what was saved")
            return
        held = f"{memories} {'memory' if memories == 1 else 'memories'}" + (
            f", {counted(messages, 'message')}" if messages else ""
        )
        yield fine(self.subject, f"{held}, database sound")
        yield from check_log(self.subject, file.database.path, noted=noted, saved=saved)
        yield self._search_index(file)
        yield from derived.check_vectors(self.subject, file.database)
        yield from derived.check_ledger(self.subject, file.database)
        if moved_to is not None and (memories or messages):
            message = f"{held} were left behind by a merge"
            yield fault(self.subject, message, "finish the merge", lambda: self._finish_merge(file, moved_to))
        if erased:
            message = f"{counted(erased, 'memory')} may still leave bytes behind"
            yield fault(self.subject, message, "finish erasing them", lambda: self._finish_erasing(file))

    def _search_index(self, file: ProjectFile) -> Check:
        try:
            with file.database.examining(writable=True) as connection:
                wrong = derived.wrong_indexes(connection)
        except errors.StorageReadOnlyError:
            return warning(self.subject, "search index not checked: read-only")
        if not wrong:
            return fine(self.subject, "search index agrees with the memories")
        message = f"the search index differs from the memories ({', '.join(wrong)})"
        return fault(self.subject, message, "rebuild it", lambda: derived.rebuild_indexes(file.database))

    def _finish_merge(self, file: ProjectFile, moved_to: str) -> str:
        moved = transfer.move_memories(file.database, self.registry.file_of(moved_to).database)
        return f"{counted(moved, 'memory')} moved."

    @staticmethod
    def _finish_erasing(file: ProjectFile) -> str:
        finish_erasing(file.database)
        return "The erased memories left no bytes behind."

    def _unreadable(self, error: errors.StorageDamagedError) -> Check:
        path = self.registry.path_of(self.project)
        try:
            with translated_sqlite_errors:
                migrate.require_ours(path)
        except errors.StorageDamagedError:
            return fault(
                self.subject,
                error.reason,
                "set it aside under another name and begin an empty one",
                lambda: set_damaged_aside(path) + self._begin_again(),
            )
        if version := _misnumbered(path):
            message = "its version number does not match its tables"
            return fault(self.subject, message, f"set it to {version}", lambda: _renumber(path, version))
        return self._recoverable("SQLite cannot read it")

    def _recoverable(self, message: str) -> Check:
        """Return a fault whose repair rebuilds the file from its readable parts."""
        return fault(
            self.subject,
            message,
            "rebuild it from its readable parts, and keep the damaged file",
            lambda: recover(self.registry.path_of(self.project), self._identify),
        )

    def _identify(self, connection: apsw.Connection) -> None:
        """Write the project's name and aliases, as known to the registry, into the project's file."""
        project = Project(id=self.project, name=self.project, created_at=from_microseconds(0))
        with suppress(errors.StorageError, errors.UnknownProjectError):
            project = self.registry.catalogue().known(self.project)
        catalogue.identify(connection, project)

    def _begin_again(self) -> str:
        accept_count(self.registry.path_of(self.project), 0)
        try:
            self.registry.make_file(self.registry.catalogue().known(self.project))
        except errors.UnknownProjectError:
            return " The next save in that project begins an empty one."
        return f" An empty memory was begun for {self.project}."


def _misnumbered(path: Path) -> int:
    """Return the schema version of a database's tables, if the database's version number is lower.

    Otherwise, return 0.
    """
    with suppress(apsw.Error), closing(connect(path, writable=True)) as connection:
        version = migrate.version_by_parts(connection, migrations.PROJECT)
        return version if version > version_of(connection) else 0
    return 0


def _renumber(path: Path, version: int) -> str:
    with translated_sqlite_errors, closing(connect(path, writable=True)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    return f"Its version is {version} now."


def set_damaged_aside(path: Path) -> str:
    """Rename a damaged database and its log. Return a sentence for the user about the repair."""
    with translated_sqlite_errors:
        suffix = folders.set_aside(path, *beside(path), label="damaged")
    return f"The damaged file is now called {path.name}{suffix}."


def _first_complaint(file: ProjectFile) -> str:
    """Return the first fault that SQLite finds in the file, or an empty text.

    Faults of the search indexes don't count, because indexes can be rebuilt, and have a separate check.

    Raises:
        StorageDamagedError: SQLite could not even start its check.
    """
    found: list[str] = []
    try:
        with file.database.examining() as connection:
            for (line,) in connection.execute(f"PRAGMA integrity_check({_MAX_COMPLAINTS})"):
                if "fts5" not in line.lower():
                    found.append(line)
    except errors.StorageDamagedError:
        # SQLite stops in the middle of a badly damaged file.
        if not found:
            raise
    return "" if found in ([], ["ok"]) else found[0]


def check_log(subject: str, path: Path, *, noted: int, saved: int) -> Iterator[Check]:
    """Compare the save counter with the file, and look for a long log.

    Args:
        subject: Subject of the findings.
        path: Path of the file.
        noted: Value of the save counter. The caller must read this value before it counts `saved`.
        saved: Number of saves in the file.
    """
    if noted > saved:
        yield fault(subject, scope.missing(noted - saved), "accept the loss", lambda: accept_count(path, saved))
    with translated_sqlite_errors:
        pending = _pending_bytes(path)
    if pending >= _LONG_BYTES:
        message = f"its log has grown to {pending >> 20} MB: a program keeps reading an old state of the file"
        yield warning(subject, message)


def accept_count(path: Path, count: int) -> str:
    """Set the save counter to `count`. Return a sentence for the user about the repair."""
    with translated_sqlite_errors:
        scope.note_count(write_queue.note_of(path), count)
    return "From now on, the present memories count as all saved ones."


def _pending_bytes(path: Path) -> int:
    """Return the number of bytes in the log that can't be moved into the file yet; 0 for a short log."""
    log = beside(path)[0]
    if not folders.is_there(log) or log.stat().st_size < _LONG_BYTES or not os.access(path, os.W_OK):
        return 0
    with closing(connect(path, writable=True)) as connection:
        ((_, pages, emptied),) = fetch(connection, "PRAGMA wal_checkpoint(PASSIVE)")
        size: int = connection.execute("PRAGMA page_size").get
        return int(pages - emptied) * size

"""Looks at the files of a data directory, and mends what can be mended without losing anything."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw
from attrs import define, field, frozen

from lamella.domain.errors import StorageDamagedError, StorageError
from lamella.ports.diagnosis import Finding, Severity, StorageDiagnosis
from lamella_adapters.sqlite import files
from lamella_adapters.sqlite.connection import in_our_words, require_sound_sqlite
from lamella_adapters.sqlite.moving import move
from lamella_adapters.sqlite.registry import SqliteRegistry
from lamella_adapters.sqlite.rows import to_microseconds
from lamella_adapters.sqlite.scope import ProjectFile

_INDEXES = ("search", "search_purged")


@frozen
class _Check:
    """A finding, and what mends it."""

    finding: Finding
    mend: Callable[[], str] | None = None


@define(eq=False)
class SqliteDiagnosis(StorageDiagnosis):
    """The health of a data directory. Checking an index needs its file's write lock for a moment."""

    registry: SqliteRegistry
    _checks: dict[Finding, _Check] = field(factory=dict)

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        self._checks = {check.finding: check for check in self._all()}
        return tuple(self._checks)

    def repair(self, finding: Finding) -> str:
        """See `StorageDiagnosis.repair`."""
        check = self._checks.get(finding)
        if check is None or check.mend is None:
            return f"There is nothing to repair: {finding.subject}."
        return check.mend()

    def _all(self) -> Iterator[_Check]:
        yield _sqlite()
        yield from _permissions(self.registry.folder)
        try:
            projects = self.registry.all()
        except StorageDamagedError as error:
            yield _Check(
                _fault("registry", str(error), "set it aside and rebuild it from the files of the projects"),
                lambda: _set_aside(self.registry.path),
            )
            return
        except StorageError as error:
            yield _Check(_fault("registry", str(error)))
            return
        yield _fine("registry", f"{len(projects)} project(s)")
        for project in projects:
            yield from self._project(project.id)

    def _project(self, project: str) -> Iterator[_Check]:
        subject = f"project {project}"
        try:
            file = self.registry.file_of(project)
            with file.database.examining() as connection:
                answer = connection.execute("PRAGMA integrity_check(1)").get
                rows = connection.execute("SELECT count(*) FROM observation").get
                moved_to = connection.execute("SELECT moved_to FROM project").get
            if answer != "ok":
                yield _Check(_fault(subject, f"SQLite finds it broken: {answer}"))
                return
            yield _fine(subject, f"{rows} memories, database sound")
            yield from _index(subject, file)
            if moved_to is not None and rows:
                yield _Check(
                    _fault(subject, f"{rows} memories were left behind by a merge", "finish the merge"),
                    lambda: f"{move(file.database, self.registry.file_of(moved_to).database)} memories moved.",
                )
        except StorageDamagedError as error:
            path = self.registry.path_of(project)
            yield _Check(
                _fault(subject, str(error), "set it aside under another name and begin an empty one"),
                lambda: _set_aside(path) + self._begin_again(project),
            )
        except StorageError as error:
            missing = not self.registry.path_of(project).exists()
            yield _Check(
                _fault(subject, str(error), "begin an empty one" if missing else ""),
                (lambda: self._begin_again(project)) if missing else None,
            )

    def _begin_again(self, project: str) -> str:
        known = self.registry.known(project)
        self.registry.make_file(project, known.name, to_microseconds(known.created_at), known.aliases)
        return f" An empty memory was begun for {project}."


def _sqlite() -> _Check:
    version = apsw.sqlite_lib_version()
    try:
        require_sound_sqlite(version)
    except StorageError as error:
        return _Check(_fault("SQLite", str(error)))
    return _fine("SQLite", f"{version}, with FTS5, by APSW {apsw.apsw_version()}")


def _permissions(folder: Path) -> Iterator[_Check]:
    """Directories are for their owner alone (0700), files too (0600)."""
    if not folder.exists():
        yield _fine("data directory", "not made yet; the first save makes it")
        return
    places = [folder, *sorted(folder.rglob("*"))]
    open_to_others = [place for place in places if not place.is_symlink() and place.stat().st_mode & 0o077]
    if not os.access(folder, os.W_OK):
        yield _Check(_fault("data directory", "it is read-only for this user"))
    elif open_to_others:
        count = f"{len(open_to_others)} file(s) and folder(s) can be used by other users"
        yield _Check(
            _fault("data directory", count, "close them to everybody but their owner"),
            lambda: _close_to_others(open_to_others),
        )
    else:
        yield _fine("data directory", "for its owner alone")


def _index(subject: str, file: ProjectFile) -> Iterator[_Check]:
    """FTS5's check with rank 1 compares the index with the rows; nothing weaker sees that they differ."""
    with file.database.writing() as connection:
        counted = connection.execute("SELECT count(*) FROM observation WHERE purged_at IS NULL").get
        wrong = [index for index in _INDEXES if not _agrees(connection, index)]
        if connection.execute("SELECT live FROM statistics").get != counted:
            wrong.append("statistics")
    if wrong:
        yield _Check(
            _fault(subject, f"the search index differs from the memories ({', '.join(wrong)})", "rebuild it"),
            lambda: _rebuild(file),
        )
    else:
        yield _fine(subject, "search index agrees with the memories")


def _agrees(connection: apsw.Connection, index: str) -> bool:
    try:
        # The names of the indexes are our own constants.
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
    except apsw.CorruptError:
        return False
    return True


def _rebuild(file: ProjectFile) -> str:
    with file.database.writing() as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608 - as above
        connection.execute(
            "UPDATE statistics SET changes = changes + 1,"
            " live = (SELECT count(*) FROM observation WHERE purged_at IS NULL)"
        )
    return "The search index was rebuilt from the memories."


def _set_aside(path: Path) -> str:
    """Renames a file with what belongs to it; nothing is deleted."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    with in_our_words():
        for part in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if part.exists():
                part.rename(part.with_name(f"{part.name}.damaged-{moment}"))
    return f"The damaged file is now called {path.name}.damaged-{moment}."


def _close_to_others(places: list[Path]) -> str:
    with in_our_words():
        for place in places:
            place.chmod(files.DIRECTORY_MODE if place.is_dir() else files.FILE_MODE)
    return f"{len(places)} file(s) and folder(s) are for their owner alone now."


def _fine(subject: str, message: str) -> _Check:
    return _Check(Finding(subject=subject, severity=Severity.FINE, message=message))


def _fault(subject: str, message: str, repair: str = "") -> Finding:
    return Finding(subject=subject, severity=Severity.FAULT, message=message, repair=repair)

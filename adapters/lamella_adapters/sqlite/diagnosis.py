"""Looks at the files of a data directory, and mends what can be mended without losing anything."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
from attrs import define, frozen

from lamella.domain.errors import (
    StorageDamagedError,
    StorageError,
    StorageGoneError,
    StorageReadOnlyError,
    UnknownProjectError,
)
from lamella.ports.diagnosis import Finding, Severity, StorageDiagnosis
from lamella_adapters.sqlite import files, ledger_health, search_health, vector_health
from lamella_adapters.sqlite.connection import beside, in_our_words, require_sound_sqlite
from lamella_adapters.sqlite.erasing import finish_erasing, unfinished
from lamella_adapters.sqlite.moving import move
from lamella_adapters.sqlite.registry import SqliteRegistry
from lamella_adapters.sqlite.rows import to_microseconds
from lamella_adapters.sqlite.scope import ProjectFile

_MAX_COMPLAINTS = 100
"""After so many, SQLite stops to look."""


@frozen
class _Check:
    """A finding, and what mends it."""

    finding: Finding
    mend: Callable[[], str] | None = None


@define(eq=False)
class SqliteDiagnosis(StorageDiagnosis):
    """The health of a data directory. Checking an index needs its file's write lock for a moment."""

    registry: SqliteRegistry

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        return tuple(check.finding for check in self._all())

    def repair(self, finding: Finding) -> str:
        """See `StorageDiagnosis.repair`.

        It looks again, because what was found may have changed; its message, which counts, too.
        """
        for check in self._all():
            same = (check.finding.subject, check.finding.repair) == (finding.subject, finding.repair)
            if same and check.mend is not None:
                return check.mend()
        return f"There is nothing to repair: {finding.subject}."

    def _all(self) -> Iterator[_Check]:
        yield _sqlite()
        folder = self.registry.folder
        try:
            with in_our_words():
                there = files.is_there(folder)
                registered = there and files.is_there(self.registry.path)
                # Those whose files are there, and further down those that only the registry knows.
                projects = [path.stem for path in self.registry.project_files()] if there else []
                place = _permissions(folder) if there else _unmade(folder)
        except StorageError as error:
            yield _Check(_fault("data directory", error.reason))
            return
        yield place
        if registered:
            try:
                known = [project.id for project in self.registry.all()]
            except StorageDamagedError as error:
                yield _Check(
                    _fault("registry", error.reason, "set it aside and rebuild it from the files of the projects"),
                    lambda: f"{_set_aside(self.registry.path)} {self._registered()}",
                )
            except StorageError as error:
                yield _Check(_fault("registry", str(error)))
            else:
                yield _fine("registry", f"{len(known)} project(s)")
                projects = [*known, *(each for each in projects if each not in known)]
        elif projects:
            yield _Check(
                _fault("registry", "it is missing", "rebuild it from the files of the projects"), self._registered
            )
        for project in projects:
            yield from self._project(project)

    def _project(self, project: str) -> Iterator[_Check]:
        subject = f"project {project}"
        try:
            file = self.registry.file_of(project)
            if broken := _complaint(file):
                # Much of it may still be readable, so nothing is offered that would take it out of sight.
                yield _Check(_fault(subject, f"SQLite finds it broken: {broken}"))
                return
            with file.database.examining() as connection:
                rows = connection.execute("SELECT count(*) FROM observation").get
                messages = connection.execute("SELECT count(*) FROM message").get
                moved_to = connection.execute("SELECT moved_to FROM project").get
                erased = len(unfinished(connection))
            held = f"{rows} memories" + (f", {messages} messages" if messages else "")
            yield _fine(subject, f"{held}, database sound")
            yield from _index(subject, file)
            yield from _vectors(subject, file)
            yield from _ledger(subject, file)
            if moved_to is not None and (rows or messages):
                yield _Check(
                    _fault(subject, f"{held} were left behind by a merge", "finish the merge"),
                    lambda: f"{move(file.database, self.registry.file_of(moved_to).database)} memories moved.",
                )
            if erased:
                yield _Check(
                    _fault(subject, f"{erased} memories may still leave bytes behind", "finish erasing them"),
                    lambda: _finished(file),
                )
        except UnknownProjectError:
            yield _Check(
                Finding(subject=subject, severity=Severity.WARNING, message="a file that is none of ours")
            )
        except StorageDamagedError as error:
            path = self.registry.path_of(project)
            yield _Check(
                _fault(subject, error.reason, "set it aside under another name and begin an empty one"),
                lambda: _set_aside(path) + self._begin_again(project),
            )
        except StorageError as error:
            missing = isinstance(error, StorageGoneError)
            yield _Check(
                _fault(subject, error.reason if missing else str(error), "begin an empty one" if missing else ""),
                (lambda: self._begin_again(project)) if missing else None,
            )

    def _registered(self) -> str:
        self.registry.made()
        return f"The registry was made from the files of {len(self.registry.all())} project(s)."

    def _begin_again(self, project: str) -> str:
        try:
            known = self.registry.known(project)
        except UnknownProjectError:
            return " The next save in that project begins an empty one."
        self.registry.make_file(
            project, known.name, to_microseconds(known.created_at), known.aliases, known.moved_to
        )
        return f" An empty memory was begun for {project}."


def _sqlite() -> _Check:
    version = apsw.sqlite_lib_version()
    try:
        require_sound_sqlite(version)
    except StorageError as error:
        return _Check(_fault("SQLite", str(error)))
    return _fine("SQLite", f"{version}, with FTS5, by APSW {apsw.apsw_version()}")


def _unmade(folder: Path) -> _Check:
    """The nearest of the folders above it that is there must let this user make others."""
    above = next(each for each in (folder, *folder.absolute().parents) if os.path.lexists(each))
    if above.is_dir() and os.access(above, os.W_OK | os.X_OK):
        return _fine("data directory", "not made yet; the first save makes it")
    return _Check(_fault("data directory", "it is not there, and this user cannot make it"))


def _permissions(folder: Path) -> _Check:
    """Directories are for their owner alone (0700), files too (0600)."""
    places = [folder.resolve(), *sorted(folder.rglob("*"))]
    open_to_others = [place for place in places if _can_be_used_by_others(place)]
    if not os.access(folder, os.W_OK):
        return _Check(_fault("data directory", "it is read-only for this user"))
    if open_to_others:
        count = f"{len(open_to_others)} file(s) and folder(s) can be used by other users"
        return _Check(
            _fault("data directory", count, "close them to everybody but their owner"),
            lambda: _close_to_others(open_to_others),
        )
    return _fine("data directory", "for its owner alone")


def _can_be_used_by_others(place: Path) -> bool:
    with suppress(FileNotFoundError):
        return not place.is_symlink() and place.stat().st_mode & 0o077 != 0
    # SQLite has removed its log meanwhile.
    return False


def _complaint(file: ProjectFile) -> str:
    """The first thing that SQLite finds wrong with the file, empty if it is sound.

    It looks into the search indexes as well; they can be rebuilt, and get a check of their own.

    Raises:
        StorageDamagedError: it could not even look.
    """
    found: list[str] = []
    try:
        with file.database.examining() as connection:
            for (line,) in connection.execute(f"PRAGMA integrity_check({_MAX_COMPLAINTS})"):
                if "fts5" not in line.lower():
                    found.append(line)
    except StorageDamagedError:
        # Of a file that is badly broken it gives up in the middle.
        if not found:
            raise
    return "" if found in ([], ["ok"]) else found[0]


def _index(subject: str, file: ProjectFile) -> Iterator[_Check]:
    try:
        with file.database.examining(writable=True) as connection:
            differing = search_health.wrong(connection)
    except StorageReadOnlyError:
        message = "search index not checked: read-only"
        yield _Check(Finding(subject=subject, severity=Severity.WARNING, message=message))
        return
    if differing:
        message = f"the search index differs from the memories ({', '.join(differing)})"
        yield _Check(_fault(subject, message, "rebuild it"), lambda: search_health.rebuild(file.database))
    else:
        yield _fine(subject, "search index agrees with the memories")


def _vectors(subject: str, file: ProjectFile) -> Iterator[_Check]:
    with file.database.examining() as connection:
        count, told = len(vector_health.wrong(connection)), vector_health.embedded(connection)
    if told:
        yield _fine(subject, told)
    if count:
        yield _Check(
            _fault(subject, f"{count} vectors differ from the memories", "have them embedded anew"),
            lambda: vector_health.embed_anew(file.database),
        )


def _ledger(subject: str, file: ProjectFile) -> Iterator[_Check]:
    with file.database.examining() as connection:
        count = len(ledger_health.wrong(connection))
    if count:
        message = f"the ledger of {count} memories differs from their changes"
        yield _Check(_fault(subject, message, "make it anew"), lambda: ledger_health.made_anew(file.database))


def _finished(file: ProjectFile) -> str:
    finish_erasing(file.database)
    return "The erased memories left no bytes behind."


def _set_aside(path: Path) -> str:
    """Renames a file with what belongs to it; nothing is deleted."""
    with in_our_words():
        suffix = files.set_aside(path, *beside(path), label="damaged")
    return f"The damaged file is now called {path.name}{suffix}."


def _close_to_others(places: list[Path]) -> str:
    with in_our_words():
        for place in places:
            with suppress(FileNotFoundError):
                place.chmod(place.stat().st_mode & 0o700)
    return f"{len(places)} file(s) and folder(s) are for their owner alone now."


def _fine(subject: str, message: str) -> _Check:
    return _Check(Finding(subject=subject, severity=Severity.FINE, message=message))


def _fault(subject: str, message: str, repair: str = "") -> Finding:
    return Finding(subject=subject, severity=Severity.FAULT, message=message, repair=repair)

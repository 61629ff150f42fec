"""Looks at the files of a data directory, and mends what can be mended without losing anything."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import apsw
from attrs import define

from lamella.domain.errors import (
    StorageDamagedError,
    StorageError,
    StorageGoneError,
    StorageReadOnlyError,
    UnknownProjectError,
)
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella_adapters.sqlite.doctor import (
    embeddings,
    ledger,
    search_index,
    write_ahead_log,
)
from lamella_adapters.sqlite.doctor import (
    folder as folder_health,
)
from lamella_adapters.sqlite.doctor import (
    rows as true_rows,
)
from lamella_adapters.sqlite.doctor.check import Check, fault, fine
from lamella_adapters.sqlite.doctor.recovery.recover import salvage
from lamella_adapters.sqlite.erasure.observations import finish_erasing, unfinished
from lamella_adapters.sqlite.file import files, saved_count
from lamella_adapters.sqlite.file.connection import (
    beside,
    in_our_words,
    require_sound_sqlite,
)
from lamella_adapters.sqlite.projects.catalogue import stored_key
from lamella_adapters.sqlite.projects.merge import move
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.projects.scope import ProjectFile
from lamella_adapters.sqlite.tables.observation_rows import to_microseconds

_MAX_COMPLAINTS = 100
"""After so many, SQLite stops to look."""


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

    def _all(self) -> Iterator[Check]:
        yield _sqlite()
        folder = self.registry.folder
        try:
            with in_our_words():
                there = files.is_there(folder)
                registered = there and files.is_there(self.registry.path)
                # Those whose files are there, and further down those that only the registry knows.
                projects = [path.stem for path in self.registry.project_files()] if there else []
                place = folder_health.permissions(folder) if there else folder_health.unmade(folder)
        except StorageError as error:
            yield Check(fault("data directory", error.reason))
            return
        yield place
        yield from folder_health.network(folder, folder_health.mounts())
        if registered:
            try:
                known = [project.id for project in self.registry.all()]
            except StorageDamagedError as error:
                yield Check(
                    fault("registry", error.reason, "set it aside and rebuild it from the files of the projects"),
                    lambda: f"{_set_aside(self.registry.path)} {self._registered()}",
                )
            except StorageError as error:
                yield Check(fault("registry", str(error)))
            else:
                yield fine("registry", f"{len(known)} project(s)")
                projects = [*known, *(each for each in projects if each not in known)]
        elif projects:
            yield Check(
                fault("registry", "it is missing", "rebuild it from the files of the projects"), self._registered
            )
        for project in projects:
            yield from self._project(project)

    def _project(self, project: str) -> Iterator[Check]:
        subject = f"project {project}"
        try:
            file = self.registry.file_of(project)
            if broken := _complaint(file):
                yield self._salvageable(project, f"SQLite finds it broken: {broken}")
                return
            # What is saved after this is noted after it was looked for.
            noted = saved_count.noted(file.database.path)
            with file.database.examining() as connection:
                saved = saved_count.of(connection)
                rows = connection.execute("SELECT count(*) FROM observation").get
                messages = connection.execute("SELECT count(*) FROM message").get
                moved_to = connection.execute("SELECT moved_to FROM project").get
                erased = len(unfinished(connection))
                untrue = len([*true_rows.untrue_memories(connection), *true_rows.untrue_rows(connection)])
            if untrue:
                yield self._salvageable(project, f"{untrue} memories or other rows are not what was saved")
                return
            held = f"{rows} memories" + (f", {messages} messages" if messages else "")
            yield fine(subject, f"{held}, database sound")
            yield from write_ahead_log.checks(subject, file.database.path, noted=noted, saved=saved)
            yield from _index(subject, file)
            yield from _vectors(subject, file)
            yield from _ledger(subject, file)
            if moved_to is not None and (rows or messages):
                yield Check(
                    fault(subject, f"{held} were left behind by a merge", "finish the merge"),
                    lambda: f"{move(file.database, self.registry.file_of(moved_to).database)} memories moved.",
                )
            if erased:
                yield Check(
                    fault(subject, f"{erased} memories may still leave bytes behind", "finish erasing them"),
                    lambda: _finished(file),
                )
        except UnknownProjectError:
            yield Check(Finding(subject=subject, severity=Severity.WARNING, message="a file that is none of ours"))
        except StorageDamagedError as error:
            path = self.registry.path_of(project)
            try:
                with in_our_words():
                    files.require_ours(path)
            except StorageDamagedError:
                yield Check(
                    fault(subject, error.reason, "set it aside under another name and begin an empty one"),
                    lambda: _set_aside(path) + self._begin_again(project),
                )
            else:
                yield self._salvageable(project, "SQLite cannot read it")
        except StorageError as error:
            missing = isinstance(error, StorageGoneError)
            yield Check(
                fault(subject, error.reason if missing else str(error), "begin an empty one" if missing else ""),
                (lambda: self._begin_again(project)) if missing else None,
            )

    def _salvageable(self, project: str, message: str) -> Check:
        """A fault of a file of which more may be readable than SQLite reads."""
        return Check(
            fault(f"project {project}", message, "make it anew of what can be read, and keep the broken file"),
            lambda: salvage(self.registry.path_of(project), partial(self._identify, project)),
        )

    def _identify(self, project: str, connection: apsw.Connection) -> None:
        """Says in a file which project it is of, as far as the registry knows that."""
        values: tuple[object, ...] = (project, project, 0, None)
        with suppress(StorageError, UnknownProjectError):
            known = self.registry.known(project)
            values = (project, known.name, to_microseconds(known.created_at), known.moved_to)
            aliases = [(stored_key(alias),) for alias in known.aliases]
            connection.executemany("INSERT OR IGNORE INTO alias VALUES (?)", aliases)
        connection.execute("INSERT INTO project VALUES (?, ?, ?, ?)", values)

    def _registered(self) -> str:
        self.registry.made()
        return f"The registry was made from the files of {len(self.registry.all())} project(s)."

    def _begin_again(self, project: str) -> str:
        write_ahead_log.count_anew(self.registry.path_of(project), 0)
        try:
            known = self.registry.known(project)
        except UnknownProjectError:
            return " The next save in that project begins an empty one."
        self.registry.make_file(
            project, known.name, to_microseconds(known.created_at), known.aliases, known.moved_to
        )
        return f" An empty memory was begun for {project}."


def _sqlite() -> Check:
    version = apsw.sqlite_lib_version()
    try:
        require_sound_sqlite(version)
    except StorageError as error:
        return Check(fault("SQLite", str(error)))
    return fine("SQLite", f"{version}, with FTS5, by APSW {apsw.apsw_version()}")


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


def _index(subject: str, file: ProjectFile) -> Iterator[Check]:
    try:
        with file.database.examining(writable=True) as connection:
            differing = search_index.wrong(connection)
    except StorageReadOnlyError:
        message = "search index not checked: read-only"
        yield Check(Finding(subject=subject, severity=Severity.WARNING, message=message))
        return
    if differing:
        message = f"the search index differs from the memories ({', '.join(differing)})"
        yield Check(fault(subject, message, "rebuild it"), lambda: search_index.rebuild(file.database))
    else:
        yield fine(subject, "search index agrees with the memories")


def _vectors(subject: str, file: ProjectFile) -> Iterator[Check]:
    with file.database.examining() as connection:
        count, told = len(embeddings.wrong(connection)), embeddings.embedded(connection)
        misplaced = len(embeddings.misplaced(connection))
    if told:
        yield fine(subject, told)
    if count:
        yield Check(
            fault(subject, f"{count} vectors differ from the memories", "have them embedded anew"),
            lambda: embeddings.embed_anew(file.database),
        )
    elif misplaced:
        yield Check(
            fault(subject, f"{misplaced} blocks of codes differ from the vectors", "put the codes in them anew"),
            lambda: embeddings.place_anew(file.database),
        )


def _ledger(subject: str, file: ProjectFile) -> Iterator[Check]:
    with file.database.examining() as connection:
        count = len(ledger.wrong(connection))
    if count:
        message = f"the ledger of {count} memories differs from their changes"
        yield Check(fault(subject, message, "make it anew"), lambda: ledger.made_anew(file.database))


def _finished(file: ProjectFile) -> str:
    finish_erasing(file.database)
    return "The erased memories left no bytes behind."


def _set_aside(path: Path) -> str:
    """Renames a file with what belongs to it; nothing is deleted."""
    with in_our_words():
        suffix = files.set_aside(path, *beside(path), label="damaged")
    return f"The damaged file is now called {path.name}{suffix}."

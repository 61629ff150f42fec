"""Backups of a data directory."""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import apsw
from attrs import define

from lamella.domain.errors import LamellaError, StorageDamagedError, StorageError, UnknownProjectError
from lamella.ports.storage.backups import Archived, Copy, Difference, OpenBackup, Preview, Restored
from lamella_adapters.sqlite.file import connection as connections
from lamella_adapters.sqlite.file import folders, migrate
from lamella_adapters.sqlite.file.backups import copy_database, require_sound
from lamella_adapters.sqlite.maintenance import archive, restore
from lamella_adapters.sqlite.maintenance.copies import SqliteCopies
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.schema import migrations

_LIVE = "SELECT id FROM observation WHERE purged_at IS NULL ORDER BY moment DESC, seq DESC"
_TITLE = "SELECT coalesce(nullif(title, ''), substr(content, 1, 100)) FROM observation WHERE id = ?"
_TITLES = 3
"""Maximum number of titles to list for each difference in a preview."""


@define(eq=False)
class SqliteBackups(SqliteCopies):
    """Backups: copies beside the files of projects, and zip archives."""

    def write(self, path: Path) -> tuple[Archived, ...]:
        """See `Backups.write`."""
        self.registry.ensure_database()
        return archive.write(self.registry, path)

    @contextmanager
    def opened(self, source: Path | Copy) -> Iterator[OpenBackup]:
        """See `Backups.opened`."""
        place = Path(source.place) if isinstance(source, Copy) else source
        with restore.drafts(self.registry.folder) as folder:
            try:
                with connections.translated_sqlite_errors:
                    projects = _extracted(self.registry, place, folder)
                    drafts = [_Draft.at(folder / f"{project}.db") for project in projects]
            except StorageDamagedError as error:
                raise connections.failure("no-backup") from error
            yield OpenBackup(_previews(self.registry, drafts), partial(_restored, self.registry))


@define
class _Draft:
    """Verified database that can replace the present one."""

    path: Path
    project: str
    name: str

    @classmethod
    def at(cls, path: Path) -> "_Draft":
        """Verify the database at `path`, update it to the present schema, and give it a random mark.

        Raises:
            BackupUnusableError: The database is damaged, or of a newer version.
        """
        with _verified(path) as connection:
            return cls(path, *_prepared(connection, path.stem))


def _previews(registry: SqliteRegistry, drafts: Sequence[_Draft]) -> tuple[Preview, ...]:
    found = [_preview(registry, draft) for draft in drafts]
    return tuple(sorted(found, key=lambda each: (each.name, each.project)))


def _restored(registry: SqliteRegistry) -> tuple[Restored, ...]:
    """See `OpenBackup.restore`."""
    restore.commit(registry.folder)
    try:
        return restore.finish(registry)
    except StorageError as error:
        raise connections.failure("restore-begun", why=error.reason) from error


def _extracted(registry: SqliteRegistry, source: Path, folder: Path) -> list[str]:
    """Copy the databases of the backup `source` into `folder`. Return the ids of their projects."""
    if not zipfile.is_zipfile(source):
        migrate.require_ours(source)
        project = _valid(registry, _project_in(source))
        copy_database(source, folders.new_file(folder / f"{project}.db"))
        return [project]
    with zipfile.ZipFile(source) as opened:
        listed = archive.entries(opened)
        for entry in listed:
            name = restore.REGISTRY if entry.project is None else f"{_valid(registry, entry.project)}.db"
            archive.extract(opened, entry, folders.new_file(folder / name))
    with _verified(folder / restore.REGISTRY) as registry_draft:
        _require_shape(registry_draft, migrations.REGISTRY)
    return [entry.project for entry in listed if entry.project is not None]


@contextmanager
def _verified(path: Path) -> Iterator[apsw.Connection]:
    """Check that a draft is an undamaged database of lamella, and open it."""
    migrate.require_ours(path)
    require_sound(path)
    with closing(connections.connect(path, writable=True)) as connection:
        yield connection


def _valid(registry: SqliteRegistry, project: str) -> str:
    """Return `project`, if it is an id that can be a file name.

    Raises:
        BackupUnusableError: `project` can't be a file name.
    """
    with suppress(UnknownProjectError):
        return registry.path_of(project).stem
    raise connections.failure("no-backup")


def _project_in(source: Path) -> str:
    """Return the id of the project in the file `source`; empty if `source` isn't the file of a project."""
    with suppress(apsw.Error), closing(connections.connect(source, writable=False)) as connection:
        for (id,) in connections.fetch(connection, "SELECT id FROM project"):
            return str(id)
    return ""


def _prepared(connection: apsw.Connection, project: str) -> tuple[str, str]:
    """Migrate a draft, and give it a random mark. Return the id and the name of its project."""
    version = _require_shape(connection, migrations.PROJECT)
    connection.execute("PRAGMA foreign_keys = OFF")
    with connections.immediate(connection):
        migrate.apply_migrations(connection, migrations.PROJECT, version)
        restore.mark(connection)
        found = connections.fetch(connection, "SELECT id, name FROM project")
    if [id for id, _ in found] != [project]:
        raise connections.failure("no-backup")
    connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    ((id, name),) = found
    return id, name


def _require_shape(connection: apsw.Connection, known: Sequence[str]) -> int:
    """Return the number of migrations in `known` that were applied to a draft.

    Raises:
        BackupUnusableError: A newer version wrote the draft, or the draft's schema doesn't match its migrations.
    """
    version = connections.version_of(connection)
    if version > len(known):
        raise connections.failure("newer-backup")
    seen = known[:version]
    if version < 1 or migrate.is_altered(connection, seen) or migrate.has_foreign(connection, seen):
        raise connections.failure("no-backup")
    return version


def _preview(registry: SqliteRegistry, draft: _Draft) -> Preview:
    """Compare the live memories of a draft with the present live memories."""
    with closing(connections.connect(draft.path, writable=False)) as then:
        ids = [id for (id,) in connections.fetch(then, _LIVE)]
        try:
            with registry.file_of(draft.project).database.reading() as now:
                present = [id for (id,) in connections.fetch(now, _LIVE)]
                gone = _difference(now, present, ids)
        except LamellaError:
            present, gone = None, Difference()
        return Preview(
            project=draft.project,
            name=draft.name,
            now=None if present is None else len(present),
            then=len(ids),
            gone=gone,
            back=_difference(then, ids, present or ()),
        )


def _difference(connection: apsw.Connection, ids: Sequence[bytes], others: Sequence[bytes]) -> Difference:
    """Return the number of `ids` missing in `others`, and the titles of the first missing memories.

    The titles are read from `connection`.
    """
    known = frozenset(others)
    lacking = [id for id in ids if id not in known]
    titles = (connection.execute(_TITLE, (id,)).get for id in lacking[:_TITLES])
    return Difference(count=len(lacking), titles=tuple(titles))

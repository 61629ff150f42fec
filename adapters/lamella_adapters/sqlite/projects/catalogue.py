"""Read and write the rows of projects in the registry and in the files of projects."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import apsw

from lamella.domain.projects.key import key_from_bytes, key_to_bytes
from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue
from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.migrate import require_known_shape
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, to_microseconds

READ_PROJECT = "SELECT id, name, created_at, moved_to FROM project"
"""Query for projects, for the registry and for a project's own file."""

_READ_OFF = "SELECT project, since, until FROM off_period ORDER BY since"
_PUT_PROJECT = "INSERT OR IGNORE INTO project VALUES (?, ?, ?, ?)"
_LEAD_TO = "INSERT OR IGNORE INTO alias VALUES (?, ?)"
_PUT_OFF = "INSERT OR REPLACE INTO off_period VALUES (?, ?, ?)"


def read_catalogue(connection: apsw.Connection) -> Catalogue:
    """Read the catalogue from the registry.

    Raises:
        StorageDamagedError: A table is missing, or a value isn't one that lamella writes.
    """
    try:
        return _read(connection)
    except (apsw.SQLError, AttributeError, TypeError, ValueError, OverflowError) as error:
        raise failure("damaged") from error


def _read(connection: apsw.Connection) -> Catalogue:
    aliases: dict[str, list[str]] = {}
    for alias, project in fetch(connection, "SELECT alias, project FROM alias"):
        # Aliases are stored unshortened, because hooks look them up like this. The domain shortens them by
        # `stored_key`.
        aliases.setdefault(project, []).append(stored_key(key_from_bytes(alias)))
    off: dict[str, list[OffPeriod]] = {}
    # If the folder is read-only, a registry of an earlier version isn't migrated, so it may lack the table.
    if fetch(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'off_period'"):
        for project, since, until in fetch(connection, _READ_OFF):
            ended = None if until is None else from_microseconds(until)
            off.setdefault(project, []).append(OffPeriod(from_microseconds(since), ended))
    return Catalogue.of(
        [
            Project(
                id=id,
                name=name,
                aliases=tuple(sorted(aliases.get(id, ()))),
                created_at=from_microseconds(created_at),
                moved_to=moved_to,
                off=tuple(off.get(id, ())),
            )
            for id, name, created_at, moved_to in fetch(connection, READ_PROJECT)
        ]
    )


def identify(connection: apsw.Connection, project: Project) -> None:
    """Write a project's name and aliases into the project's file. Aliases already in the file stay."""
    keep_aliases(connection, project.aliases)
    put_project(connection, project)


def put_project(connection: apsw.Connection, project: Project) -> None:
    """Write a project's name into its file or the registry, without its aliases."""
    values = (project.id, project.name, to_microseconds(project.created_at), project.moved_to)
    connection.execute(_PUT_PROJECT, values)


def keep_aliases(connection: apsw.Connection, aliases: Iterable[str]) -> None:
    """Write aliases of a project into its file."""
    connection.executemany("INSERT OR IGNORE INTO alias VALUES (?)", [(key_to_bytes(alias),) for alias in aliases])


def register(registry: apsw.Connection, path: Path) -> None:
    """Register the project of the file at `path`.

    Raises:
        StorageError: The file can't be read, or isn't the file of a project.
    """
    with closing(Database(path, migrations.PROJECT)) as database, database.reading() as connection:
        require_known_shape(connection, migrations.PROJECT)
        projects = fetch(connection, READ_PROJECT)
        aliases = fetch(connection, "SELECT alias FROM alias")
        periods = fetch(connection, "SELECT since, until FROM off_period")
    if len(projects) != 1:
        raise failure("damaged")
    (project,) = projects
    registry.execute(_PUT_PROJECT, project)
    registry.executemany(_LEAD_TO, [(alias, project[0]) for (alias,) in aliases])
    registry.executemany(_PUT_OFF, [(project[0], *period) for period in periods])


def lead_to(registry: apsw.Connection, project: str, aliases: Iterable[str]) -> None:
    """Assign aliases to a project, unless another project has them."""
    registry.executemany(_LEAD_TO, [(key_to_bytes(alias), project) for alias in aliases])


def keep_off(registry: apsw.Connection, file: Database, project: Project) -> None:
    """Store the periods in which a project's memory is off, in its own file and then in the registry.

    The file comes first, because the registry can be rebuilt from it.
    """
    periods = [(to_microseconds(each.since), each.until and to_microseconds(each.until)) for each in project.off]
    with file.writing() as own:
        own.executemany("INSERT OR REPLACE INTO off_period VALUES (?, ?)", periods)
    registry.executemany(_PUT_OFF, [(project.id, *period) for period in periods])

"""Catalogue of all projects in the registry at one point in time."""

import apsw

from lamella.domain.errors import StorageGoneError
from lamella.domain.projects.key import key_from_bytes
from lamella.domain.projects.project import OffPeriod, Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue
from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds

READ_PROJECT = "SELECT id, name, created_at, moved_to FROM project"
"""Query valid in the registry and in a project's own file."""

_READ_OFF = "SELECT project, since, until FROM off_period ORDER BY since"


def read_catalogue(connection: apsw.Connection) -> Catalogue:
    """Read the catalogue from the registry.

    Raises:
        StorageDamagedError: a table is missing, or a value is none that lamella writes.
    """
    try:
        return _read(connection)
    except (apsw.SQLError, AttributeError, TypeError, ValueError, OverflowError) as error:
        raise damaged() from error


def _read(connection: apsw.Connection) -> Catalogue:
    aliases: dict[str, list[str]] = {}
    for alias, project in fetch(connection, "SELECT alias, project FROM alias"):
        # Files keep an alias whole, as hooks look for it.
        aliases.setdefault(project, []).append(stored_key(key_from_bytes(alias)))
    off: dict[str, list[OffPeriod]] = {}
    # A registry of an earlier version, in a read-only folder.
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


def missing_file(project: str) -> StorageGoneError:
    """Return the error for a known project whose file is missing."""
    return StorageGoneError(
        reason=f"The memory file of project {project} is missing.",
        advice="Put it back if you moved it, or run: lamella doctor",
    )

"""Migrations of a database file from its version to the current schema."""

import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import apsw

from lamella_adapters.sqlite import schema
from lamella_adapters.sqlite.file import connection as connections
from lamella_adapters.sqlite.file import header_and_copy
from lamella_adapters.sqlite.schema.migrations import APPLICATION_ID, SQUASHED, reads_alike
from lamella_adapters.statements import statements

_MAGIC = b"SQLite format 3\0"

_MIGRATION_SECONDS = 30.0
"""Maximum seconds to wait while another process migrates the same file. A migration first copies the file."""
SQL = statements(__file__)

_Rows = frozenset[tuple[Any, ...]]


def migrate(connection: apsw.Connection, path: Path, migrations: Sequence[str], *, writable: bool = True) -> None:
    """Update a database to the current schema. If several processes start simultaneously, only one does so.

    The database is first copied into the folder `backups` beside it. No copy is made if all missing migrations are
    marked as `(not read)`. Afterwards, the connection still has the long busy timeout of a migration.

    Raises:
        StorageTooNewError: A newer lamella has written the database.
        StorageReadOnlyError: The database needs a migration to be read, but isn't `writable`.
        StorageShapeUnknownError: The database's tables don't match its version.
        StorageDamagedError: The tables are of a later version than the version number in the database.
    """
    if _is_current(connection, migrations):
        return
    require_known_shape(connection, migrations[: connections.version_of(connection)])
    if version_by_parts(connection, migrations) > connections.version_of(connection):
        raise connections.failure("damaged")
    if not writable:
        if reads_alike(migrations, connections.version_of(connection)):
            return
        raise connections.failure("read-only")
    patience = connections.Patience()
    patience.until(_MIGRATION_SECONDS)
    connection.set_busy_handler(patience)
    # With foreign keys on, a migration that rebuilds a table would delete all rows that refer to the table.
    connection.execute("PRAGMA foreign_keys = OFF")
    with connections.immediate(connection):
        if not _is_current(connection, migrations):
            version = connections.version_of(connection)
            if not reads_alike(migrations, version):
                from lamella_adapters.sqlite.file.backups import back_up  # noqa: PLC0415 - few files are migrated

                back_up(path, label=f"schema-{version}")
            apply_migrations(connection, migrations, version)
    connection.execute("PRAGMA foreign_keys = ON")


def apply_migrations(connection: apsw.Connection, migrations: Sequence[str], version: int) -> None:
    """Run the migrations missing from a database of `version`."""
    for number, migration in enumerate(migrations[version:], start=version + 1):
        # APSW stops a script at the first statement with rows, unless they are all fetched.
        connection.execute(migration).fetchall()
        connection.execute(f"PRAGMA user_version = {number}")


@cache
def empty(migrations: tuple[str, ...]) -> bytes:
    """Return a database without rows. Cached, because copying it takes a fifth of the time of all migrations."""
    with closing(apsw.Connection(":memory:")) as made:
        # Set this first, because it can't be changed after the first page is written.
        made.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        if migrations[: len(SQUASHED)] == SQUASHED:
            made.execute(Path(schema.__file__).with_name("squashed.sql").read_text("utf-8")).fetchall()
        apply_migrations(made, migrations, connections.version_of(made))
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        return made.serialize("main")


def require_ours(path: Path) -> None:
    """Check the header of the file at `path` before it is opened for writing.

    Raises:
        StorageDamagedError: The file is empty, no database, or another program's database.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise connections.failure("irregular", name=path.name)
    header = header_and_copy.header(path)
    if not header.startswith(_MAGIC) or int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise connections.failure("damaged")


def _is_current(connection: apsw.Connection, migrations: Sequence[str]) -> bool:
    connections.require_not_newer(connection, migrations)
    return connections.version_of(connection) == len(migrations)


def is_altered(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if the database lacks a column or another part that the `applied` migrations create."""
    return not _made(tuple(applied), _parts) <= _parts(connection)


def has_foreign(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if the database has a part that the `applied` migrations don't create."""
    return not _parts(connection) <= _made(tuple(applied), _parts)


def version_by_parts(connection: apsw.Connection, migrations: Sequence[str]) -> int:
    """Return the first version of the schema with the same parts as a database; 0 if no version has them."""
    there = _parts(connection)
    with closing(apsw.Connection(":memory:")) as made:
        for version, migration in enumerate(migrations, start=1):
            made.execute(migration).fetchall()
            if _parts(made) == there:
                return version
    return 0


def require_known_shape(connection: apsw.Connection, seen: Sequence[str]) -> None:
    """Check that a database has every column that its migrations create. It may have more columns.

    Args:
        connection: The database.
        seen: The migrations that were applied to the database, according to its version.

    Raises:
        StorageShapeUnknownError: A column is missing or of another type.
    """
    if missing := sorted(_made(tuple(seen), _typed_columns) - _typed_columns(connection)):
        table, column, *_ = missing[0]
        raise connections.failure("shape", version=len(seen), table=table, column=column)


@lru_cache(maxsize=4)
def _made(applied: tuple[str, ...], read: Callable[[apsw.Connection], _Rows]) -> _Rows:
    with closing(apsw.Connection(":memory:")) as connection:
        connection.deserialize("main", empty(applied))
        return read(connection)


def _parts(connection: apsw.Connection) -> _Rows:
    return frozenset(
        part for query in ("statements", "columns", "tables") for part in connections.fetch(connection, SQL[query])
    )


def _typed_columns(connection: apsw.Connection) -> _Rows:
    return frozenset(connections.fetch(connection, SQL["typed_columns"]))

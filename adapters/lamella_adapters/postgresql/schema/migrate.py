"""Migrations of the schema. One process runs them under an advisory lock; others wait."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from psycopg import Connection, errors, sql

from lamella_adapters.postgresql.schema.errors import failure
from lamella_adapters.postgresql.schema.tables import FIRST_TABLES
from lamella_adapters.statements import statements

SQL = statements(__file__)

ROLE = "lamella_app"
"""Role of every transaction. It owns no tables, and is subject to row-level security."""

OLDEST_SERVER = 15
"""Oldest supported major version of PostgreSQL. Older versions are untested."""

_LOCK = 0x6C616D656C6C61
"""Key of the advisory lock: `lamella` in ASCII."""

_TENANT = "tenant text NOT NULL DEFAULT current_setting('lamella.tenant') CHECK (tenant <> '')"

_PROJECT = f"{_TENANT}, project bigint NOT NULL"
"""Leading columns of every table with a project's data."""


def _read() -> Mapping[str, str]:
    """Read the statements of the migrations, keyed by the migration's name."""
    written = Path(__file__).with_name("schema.sql").read_text("utf-8")
    _, *migrations = written.replace("{tenant}", _TENANT).replace("{project}", _PROJECT).split("\n-- migration: ")
    named = {name: made for name, _, made in (each.partition("\n") for each in migrations)}
    return named | {"tables": named["tables"] + "".join(map(SQL["secure"].format, FIRST_TABLES))}


NAMED = _read()
MIGRATIONS: Sequence[str] = tuple(NAMED.values())
"""Migrations in order. The first one creates version 1 of the schema."""

OLDEST = 1
"""Programs made for this schema version, or a later one, can still use the present schema.

A team doesn't upgrade all its machines at the same moment. Raise this number with a migration that breaks older
programs.
"""

_LOCK_SECONDS = 5
"""Lock timeout of a migration in seconds.

While a migration waits for a lock, later transactions queue up behind it.
"""


def migrate(connection: Connection, schema: str, patient: Callable[[], AbstractContextManager[None]]) -> None:
    """Create a schema, or upgrade it to the current version. Do nothing if it is up to date.

    Args:
        connection: Connection in autocommit mode. Its role must own the schema, or be allowed to create it.
        schema: Name of the schema.
        patient: Context manager that extends the connection's deadline.

    Raises:
        StorageTooNewError: The schema needs a newer lamella.
        StorageError: The server is too old, its encoding isn't UTF-8, or the role lacks a privilege.
    """
    found = _version(connection, schema)
    if found >= len(MIGRATIONS):
        return
    if connection.info.server_version < OLDEST_SERVER * 10_000:
        version = connection.info.server_version // 10_000
        raise failure("old-server", version=version, oldest=OLDEST_SERVER)
    (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
    if encoding != "UTF8":
        raise failure("encoding", encoding=encoding)
    try:
        _bring_up(connection, schema, patient)
    except errors.InsufficientPrivilege as error:
        raise failure("old-tables" if found else "no-tables") from error


def _bring_up(connection: Connection, schema: str, patient: Callable[[], AbstractContextManager[None]]) -> None:
    """Run all missing migrations in one transaction."""
    with connection.transaction():
        connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_SECONDS}s'")
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(connection, schema)
        if not version:
            connection.execute(SQL["make_role"])
            connection.execute(sql.SQL(SQL["make_schema"]).format(schema=sql.Identifier(schema)))
        connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(schema)))
        with patient():
            for migration in MIGRATIONS[version:]:
                connection.execute(migration.encode())
        if version < len(MIGRATIONS):
            connection.execute("UPDATE version SET number = %s, oldest = %s", (len(MIGRATIONS), OLDEST))


def _version(connection: Connection, schema: str) -> int:
    """Return the version of a schema, which is the number of its migrations; 0 if the schema doesn't exist.

    Raises:
        StorageTooNewError: The schema needs a newer lamella.
        StorageError: The role can't read the schema.
    """
    # Don't use `to_regclass`: after another process has created the table, it could still return a cached miss.
    known = "SELECT FROM pg_tables WHERE schemaname = %s AND tablename = 'version'"
    if connection.execute(known, (schema,)).fetchone() is None:
        return 0
    asked = sql.SQL("SELECT number, oldest FROM {}.version").format(sql.Identifier(schema))
    try:
        number, oldest = connection.execute(asked).fetchone() or (0, 0)
    except errors.InsufficientPrivilege as error:
        raise failure("forbidden", role=ROLE) from error
    if oldest > len(MIGRATIONS):
        raise failure("newer")
    return int(number)

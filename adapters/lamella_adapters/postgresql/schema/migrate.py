"""Migrations: the schema is made and upgraded by whoever may, under a lock, and others wait for it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from psycopg import Connection, errors, sql

from lamella.domain.errors import StorageError, StorageTooNewError
from lamella_adapters.postgresql.schema.tables import FIRST_TABLES
from lamella_adapters.statements import statements

SQL = statements(__file__)

ROLE = "lamella_app"
"""Role of every transaction. It owns nothing, and row-level security binds it."""

OLDEST_SERVER = 15
"""Major version of PostgreSQL that is needed: the schema was tested with no older one."""

_LOCK = 0x6C616D656C6C61
"""Key of the advisory lock, `lamella` in ASCII."""

_TENANT = "tenant text NOT NULL DEFAULT current_setting('lamella.tenant') CHECK (tenant <> '')"

_PROJECT = f"{_TENANT}, project bigint NOT NULL"
"""First columns of every table of a project's data."""


def _read() -> Mapping[str, str]:
    """Return the statements of each migration by its name."""
    written = Path(__file__).with_name("schema.sql").read_text("utf-8")
    _, *migrations = written.replace("{tenant}", _TENANT).replace("{project}", _PROJECT).split("\n-- migration: ")
    named = {name: made for name, _, made in (each.partition("\n") for each in migrations)}
    return named | {"tables": named["tables"] + "".join(map(SQL["secure"].format, FIRST_TABLES))}


NAMED = _read()
MIGRATIONS: Sequence[str] = tuple(NAMED.values())
"""Numbered from 1."""

OLDEST = 1
"""Least number of migrations that a program must know to work with this schema, beside newer ones.

Programs of a team are not upgraded at one moment. Raise it with a migration after which older ones fail or harm.
"""

_LOCK_SECONDS = 5
"""Seconds that a migration waits for others. What it waits for makes those wait who come after it."""


def migrate(connection: Connection, schema: str, patient: Callable[[], AbstractContextManager[None]]) -> None:
    """Bring a schema to the present version, unless it is there already.

    Args:
        connection: A connection that commits by itself. Its role owns the schema, or may make it.
        schema: Name of the schema.
        patient: Makes a block in which statements have as long as large migrations take.

    Raises:
        StorageTooNewError: A newer lamella made it, and this one cannot work with it.
        StorageError: The server is too old, the database's encoding is not UTF-8, or the role may not do that.
    """
    found = _version(connection, schema)
    if found >= len(MIGRATIONS):
        return
    if connection.info.server_version < OLDEST_SERVER * 10_000:
        raise StorageError(
            reason=f"The memory server is PostgreSQL {connection.info.server_version // 10_000}.",
            advice=f"Use PostgreSQL {OLDEST_SERVER} or newer.",
        )
    (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
    if encoding != "UTF8":
        raise StorageError(
            reason=f"The database has the encoding {encoding}.", advice="Create one with the encoding UTF8."
        )
    try:
        _bring_up(connection, schema, patient)
    except errors.InsufficientPrivilege as error:
        raise StorageError(
            reason="The database is of an older lamella, and this user may not upgrade it; nothing was changed."
            if found
            else "The database has no tables for memories yet, and this user may not make them.",
            advice="Run `lamella doctor` once as the user who owns them, as docs/team.md shows.",
        ) from error


def _bring_up(connection: Connection, schema: str, patient: Callable[[], AbstractContextManager[None]]) -> None:
    """Run the migrations that a schema lacks, in one transaction."""
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
    """Return the number of migrations that a schema has seen; 0 if there is none.

    Raises:
        StorageTooNewError: There were some that this program would have to know.
        StorageError: The role may not look at the schema.
    """
    # `to_regclass` would remember that there was none, if that was asked before another process made it.
    known = "SELECT FROM pg_tables WHERE schemaname = %s AND tablename = 'version'"
    if connection.execute(known, (schema,)).fetchone() is None:
        return 0
    asked = sql.SQL("SELECT number, oldest FROM {}.version").format(sql.Identifier(schema))
    try:
        number, oldest = connection.execute(asked).fetchone() or (0, 0)
    except errors.InsufficientPrivilege as error:
        raise StorageError(
            reason="This user may not use the memories in the database; nothing was changed.",
            advice=f"Let the owner of the database run: GRANT {ROLE} TO the user of LAMELLA_STORAGE",
        ) from error
    if oldest > len(MIGRATIONS):
        raise StorageTooNewError(
            reason="A newer lamella made this database.", advice="Upgrade lamella and start it anew."
        )
    return int(number)

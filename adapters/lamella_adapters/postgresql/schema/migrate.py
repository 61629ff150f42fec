"""Migrations: the schema is made and upgraded by whoever may, under a lock, and others wait for it."""

from collections.abc import Sequence

from psycopg import Connection, sql

from lamella.domain.errors import StorageError, StorageTooNewError
from lamella_adapters.postgresql.schema import tables
from lamella_adapters.postgresql.schema.access import ACCESS_TOKENS

ROLE = "lamella_app"
"""Role of every transaction. It owns nothing, and row-level security binds it."""

_LOCK = 0x6C616D656C6C61
"""Key of the advisory lock, `lamella` in ASCII."""

_SECURE = """
ALTER TABLE {0} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {0} FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON {0} USING (tenant = current_setting('lamella.tenant', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON {0} TO lamella_app;
"""

_FIRST = "".join(
    (
        tables.REGISTRY,
        tables.MEMORIES,
        tables.INDEX,
        tables.CONVERSATIONS,
        tables.LOGS,
        tables.FUNCTIONS,
        *map(_SECURE.format, tables.FIRST_TABLES),
    )
)

MIGRATIONS: Sequence[str] = (_FIRST, ACCESS_TOKENS)
"""Numbered from 1. A released one is never edited: append another."""

_MAKE_ROLE = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'lamella_app') THEN
    CREATE ROLE lamella_app NOLOGIN NOBYPASSRLS;
    -- Since PostgreSQL 16, who makes a role may not take it on without that.
    GRANT lamella_app TO CURRENT_USER;
  END IF;
END $$
"""
_MAKE_SCHEMA = """
CREATE SCHEMA IF NOT EXISTS {schema};
GRANT USAGE ON SCHEMA {schema} TO lamella_app;
SET LOCAL search_path TO {schema};
CREATE TABLE version (number int NOT NULL);
ALTER TABLE version ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON version FOR SELECT USING (true);
GRANT SELECT ON version TO lamella_app;
INSERT INTO version VALUES (0)
"""


def migrate(connection: Connection, schema: str) -> None:
    """Bring a schema to the present version, unless it is there already.

    Args:
        connection: A connection that commits by itself. Its role owns the schema, or may make it.
        schema: Name of the schema.

    Raises:
        StorageTooNewError: A newer lamella made it.
        StorageError: The database's encoding is not UTF-8.
    """
    if _version(connection, schema) == len(MIGRATIONS):
        return
    (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
    if encoding != "UTF8":
        raise StorageError(
            reason=f"The database has the encoding {encoding}.", advice="Create one with the encoding UTF8."
        )
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _version(connection, schema)
        if version > len(MIGRATIONS):
            raise StorageTooNewError(
                reason="A newer lamella made this database.", advice="Upgrade: pip install --upgrade lamella"
            )
        if not version:
            connection.execute(_MAKE_ROLE)
            connection.execute(sql.SQL(_MAKE_SCHEMA).format(schema=sql.Identifier(schema)))
        connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(schema)))
        for migration in MIGRATIONS[version:]:
            connection.execute(migration.encode())
        connection.execute("UPDATE version SET number = %s", (len(MIGRATIONS),))


def _version(connection: Connection, schema: str) -> int:
    """Return the number of migrations that a schema has seen; 0 if there is none."""
    known = connection.execute("SELECT to_regclass(%s)", (f'"{schema}".version',)).fetchone()
    if known is None or known[0] is None:
        return 0
    found = connection.execute(sql.SQL("SELECT number FROM {}.version").format(sql.Identifier(schema))).fetchone()
    return 0 if found is None else int(found[0])

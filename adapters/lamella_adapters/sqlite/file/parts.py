"""Parts of a schema: SQLite's own checks pass over triggers and views, and over names of columns."""

from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import statements

SQL = statements(__file__)


def is_altered(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if a column is missing, or another part is not what the `applied` migrations made."""
    return not _made(tuple(applied)) <= _parts(connection)


def has_foreign(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if there is a part that the `applied` migrations did not make."""
    return not _parts(connection) <= _made(tuple(applied))


def version_by_parts(connection: apsw.Connection, migrations: Sequence[str]) -> int:
    """Return the first version whose parts are those of a database, 0 if none is."""
    there, every = _parts(connection), range(1, len(migrations) + 1)
    return next((version for version in every if _made(tuple(migrations[:version])) == there), 0)


@lru_cache(maxsize=2)
def _made(applied: Sequence[str]) -> frozenset[tuple[bytes, bytes]]:
    with closing(apsw.Connection(":memory:")) as connection:
        for migration in applied:
            connection.execute(migration).fetchall()
        return _parts(connection)


def _parts(connection: apsw.Connection) -> frozenset[tuple[bytes, bytes]]:
    return frozenset(
        part for query in (SQL["statements"], SQL["columns"], SQL["tables"]) for part in fetch(connection, query)
    )

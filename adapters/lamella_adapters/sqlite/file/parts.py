"""Checks of the parts of a schema. SQLite's own checks ignore triggers, views and names of columns."""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import lru_cache
from typing import Any

import apsw

from lamella.domain.errors import StorageShapeUnknownError
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import statements

SQL = statements(__file__)

_Rows = frozenset[tuple[Any, ...]]


def is_altered(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if a column is missing, or another part differs from the `applied` migrations."""
    return not _made(tuple(applied), _parts) <= _parts(connection)


def has_foreign(connection: apsw.Connection, applied: Sequence[str]) -> bool:
    """Return True if there is a part not made by the `applied` migrations."""
    return not _parts(connection) <= _made(tuple(applied), _parts)


def version_by_parts(connection: apsw.Connection, migrations: Sequence[str]) -> int:
    """Return the first version with the same parts as a database; 0 without one."""
    there = _parts(connection)
    with closing(apsw.Connection(":memory:")) as made:
        for version, migration in enumerate(migrations, start=1):
            made.execute(migration).fetchall()
            if _parts(made) == there:
                return version
    return 0


def require_known_shape(connection: apsw.Connection, seen: Sequence[str]) -> None:
    """Check that a database has every column made by its migrations. It may have more.

    Args:
        connection: The database.
        seen: The applied migrations, by its version.

    Raises:
        StorageShapeUnknownError: A column is missing or of another type.
    """
    if missing := sorted(_made(tuple(seen), _typed_columns) - _typed_columns(connection)):
        table, column, *_ = missing[0]
        raise StorageShapeUnknownError(
            reason=f"This memory database has schema {len(seen)}, and {table}.{column} does not belong to it;"
            " it was left untouched.",
            advice="Open it with the lamella that wrote it, or move it away to start with an empty one.",
        )


@lru_cache(maxsize=4)
def _made(applied: Sequence[str], read: Callable[[apsw.Connection], _Rows]) -> _Rows:
    with closing(apsw.Connection(":memory:")) as connection:
        for migration in applied:
            connection.execute(migration).fetchall()
        return read(connection)


def _parts(connection: apsw.Connection) -> _Rows:
    return frozenset(
        part for query in ("statements", "columns", "tables") for part in fetch(connection, SQL[query])
    )


def _typed_columns(connection: apsw.Connection) -> _Rows:
    return frozenset(fetch(connection, SQL["typed_columns"]))

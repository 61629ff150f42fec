"""Shape of a database: the columns of its tables, which must be those of its version."""

from collections.abc import Sequence
from contextlib import closing
from functools import cache

import apsw

from lamella.domain.errors import StorageShapeUnknownError
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import statements

SQL = statements(__file__)


_Columns = frozenset[tuple[str, ...]]


def require_known_shape(connection: apsw.Connection, seen: Sequence[str]) -> None:
    """Check that a database has every column that its migrations made. It may have more.

    Args:
        connection: the database.
        seen: the migrations that it has seen, by its version.

    Raises:
        StorageShapeUnknownError: a column is missing or of another type.
    """
    if missing := sorted(_expected(tuple(seen)) - _columns(connection)):
        table, column, *_ = missing[0]
        raise StorageShapeUnknownError(
            reason=f"This memory database has schema {len(seen)}, and {table}.{column} is not of that schema;"
            " it was left untouched.",
            advice="Open it with the lamella that wrote it, or move it away to begin an empty one.",
        )


@cache
def _expected(seen: tuple[str, ...]) -> _Columns:
    with closing(apsw.Connection(":memory:")) as connection:
        for migration in seen:
            connection.execute(migration).fetchall()
        return _columns(connection)


def _columns(connection: apsw.Connection) -> _Columns:
    return frozenset(fetch(connection, SQL["columns"]))

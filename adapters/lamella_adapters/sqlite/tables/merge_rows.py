"""Rows moved from one project's file to another's by a merge or split.

The origin of a row is the id of the project that it was added to, regardless of merges.
"""

from collections.abc import Mapping
from typing import Any

import apsw

from lamella_adapters.sqlite.file.connection import fetch

LEAVING = "(:origins IS NULL OR origin IN (SELECT value FROM json_each(:origins)))"
"""Condition for the rows to move. These are the rows of the given origins, or all rows if `:origins` is NULL."""

Origins = Mapping[str, str | None]
"""Parameters of a move. For a split, `origins` and `rest` are JSON arrays: the origins that move, and all others.

For a merge, both are None.
"""


def move_rows(
    leaving: apsw.Connection, arriving: apsw.Connection, table: str, key: str, origins: Origins
) -> list[tuple[Any, ...]]:
    """Move the rows of `table` from one file to another, and return them.

    `key` is the table's first column. If the target already has a row with the key of a moved row, it keeps its
    own row.
    """
    # Callers pass constants as `table` and `key`, so nothing can be injected into the SQL.
    rows = fetch(leaving, f"SELECT * FROM {table} WHERE {LEAVING}", origins)  # noqa: S608 - see above
    if rows:
        places = ", ".join("?" * len(rows[0]))
        arriving.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows)  # noqa: S608 - see above
        leaving.executemany(f"DELETE FROM {table} WHERE {key} = ?", [(known,) for known, *_ in rows])  # noqa: S608 - see above
    return rows

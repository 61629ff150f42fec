"""Print a script with the same result as all migrations of a project's file.

Usage: python -m tests.golden.squash > adapters/lamella_adapters/sqlite/schema/squashed.sql, together with
`migrations.SQUASHED`.
"""

# ruff: noqa: S608, T201 - a script; its names are from our own schema

from collections.abc import Iterator
from contextlib import closing

import apsw

from lamella_adapters.sqlite.file.connection import fetch, version_of
from lamella_adapters.sqlite.file.migrate import apply_migrations
from lamella_adapters.sqlite.schema.migrations import PROJECT

_SHADOWS = "SELECT name FROM pragma_table_list WHERE type = 'shadow'"
_TABLES = "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name"
_WRITTEN = (
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    f" AND name NOT IN ({_SHADOWS}) ORDER BY rowid"
)


def script(made: apsw.Connection) -> Iterator[str]:
    """Yield statements that make a database like `made`, a file without memories."""
    yield from (f"{statement};" for _, statement in made.execute(_WRITTEN))
    for (shadow,) in fetch(made, _SHADOWS):
        index, _, part = shadow.rpartition("_")
        options = f"SELECT k, v FROM {shadow} WHERE k <> 'version'"
        for option, value in made.execute(options) if part == "config" else ():
            yield f"INSERT INTO {index} ({index}, rank) VALUES ('{option}', {value});"
    for (table,) in made.execute(_TABLES).fetchall():
        for row in made.execute(f"SELECT * FROM {table}"):
            yield f"INSERT INTO {table} VALUES ({', '.join(map(apsw.format_sql_value, row))});"
    yield f"PRAGMA user_version = {version_of(made)};"


if __name__ == "__main__":
    with closing(apsw.Connection(":memory:")) as made:
        apply_migrations(made, PROJECT, 0)
        print("-- Made by `python -m tests.golden.squash`.", *script(made), sep="\n")

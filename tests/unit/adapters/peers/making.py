"""Files of other memory programs, made as those programs make them."""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

AT = 1_780_000_000
"""Seconds since 1970 of what is saved first: 2026-05-28 20:26:40 UTC."""


def database(path: Path, tables: Mapping[str, Sequence[Mapping[str, Any]]], *, journal: str = "DELETE") -> Path:
    """Make a SQLite file with these rows, whose tables have the columns of their first row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        for table, rows in tables.items():
            columns = list(rows[0])
            connection.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            places = ", ".join(f":{column}" for column in columns)
            statement = f"INSERT INTO {table} VALUES ({places})"  # noqa: S608 - made of the names above
            connection.executemany(statement, [dict(rows[0]) | dict(row) for row in rows])
    connection.close()
    return path


def written(path: Path, content: str | bytes) -> Path:
    """Write a file that is as old as everything here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    os.utime(path, (AT, AT))
    return path

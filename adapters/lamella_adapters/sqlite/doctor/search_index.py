"""Agreement of the search indexes of a project's file with its memories and messages."""

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.conversations import INDEX as MESSAGE_INDEX
from lamella_adapters.sqlite.schema.conversations import SPOKEN

_INDEXES = ("search", "search_purged", MESSAGE_INDEX)
_COUNTS = "SELECT live, spoken FROM statistics, message_statistics"
_COUNTED = f"""
SELECT (SELECT count(*) FROM observation WHERE purged_at IS NULL), (SELECT count(*) FROM message WHERE {SPOKEN})
"""  # noqa: S608 - our own constant


def wrong_indexes(connection: apsw.Connection) -> list[str]:
    """Return the indexes that differ from their rows. `connection` has the write lock, which the check needs."""
    differing = [index for index in _INDEXES if not _agrees(connection, index)]
    if fetch(connection, _COUNTS) != fetch(connection, _COUNTED):
        differing.append("statistics")
    return differing


def rebuild_indexes(database: Database) -> str:
    """Rebuild all search indexes and their statistics, and say so."""
    with database.writing() as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608 - our own constants
        ((live, spoken),) = fetch(connection, _COUNTED)
        connection.execute("UPDATE statistics SET changes = changes + 1, live = ?", (live,))
        connection.execute("UPDATE message_statistics SET changes = changes + 1, spoken = ?", (spoken,))
    return "The search index was rebuilt from the memories."


def _agrees(connection: apsw.Connection, index: str) -> bool:
    """Return True if an index agrees with its rows. Only FTS5's check with rank 1 compares them."""
    try:
        # The names of the indexes are our own constants.
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - made of our own constants
    except apsw.CorruptError:
        return False
    return True

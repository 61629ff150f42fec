"""Whether the search indexes of a project's file agree with its memories and messages."""

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


def wrong(connection: apsw.Connection) -> list[str]:
    """The indexes that differ from what they index. `connection` has the write lock: the check needs it."""
    differing = [index for index in _INDEXES if not _agrees(connection, index)]
    if fetch(connection, _COUNTS) != fetch(connection, _COUNTED):
        differing.append("statistics")
    return differing


def rebuild(database: Database) -> str:
    """Makes all of them anew; says so."""
    with database.writing() as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608 - our own constants
        ((live, spoken),) = fetch(connection, _COUNTED)
        connection.execute("UPDATE statistics SET changes = changes + 1, live = ?", (live,))
        connection.execute("UPDATE message_statistics SET changes = changes + 1, spoken = ?", (spoken,))
    return "The search index was rebuilt from the memories."


def _agrees(connection: apsw.Connection, index: str) -> bool:
    """FTS5's check with rank 1 compares an index with the rows; nothing weaker sees that they differ."""
    try:
        # The names of the indexes are our own constants.
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - made of our own constants
    except apsw.CorruptError:
        return False
    return True

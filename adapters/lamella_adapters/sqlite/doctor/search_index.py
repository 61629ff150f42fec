"""Check that the search indexes of a project's file match its memories and messages."""

import apsw

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema.conversations import INDEX as MESSAGE_INDEX
from lamella_adapters.sqlite.schema.conversations import SPOKEN
from lamella_adapters.statements import statements

SQL = statements(__file__, spoken=SPOKEN)

_INDEXES = ("search", "search_purged", MESSAGE_INDEX)


def wrong_indexes(connection: apsw.Connection) -> list[str]:
    """Return the indexes differing from their rows. The check needs `connection` with the write lock."""
    differing = [index for index in _INDEXES if not _agrees(connection, index)]
    if fetch(connection, SQL["counts"]) != fetch(connection, SQL["counted"]):
        differing.append("statistics")
    return differing


def rebuild_indexes(database: Database) -> str:
    """Rebuild all search indexes and their statistics, and report it."""
    with database.writing() as connection:
        for index in _INDEXES:
            connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608 - our own constants
        ((live, spoken),) = fetch(connection, SQL["counted"])
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
    # It doesn't compare the terms leading to pages: a wrong one sends look-ups to an earlier page.
    return all(_leads(term, page) for term, page in fetch(connection, SQL["pages"].format(index=index)))


def _leads(term: bytes, page: bytes | None) -> bool:
    """Return True if a page's first term begins with the term leading to it."""
    if page is None:
        return False
    offset, _ = _varint(page, int.from_bytes(page[2:4], "big"))
    length, begin = _varint(page, offset)
    return page[begin : begin + length].startswith(term)


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length, and the offset of the next one."""
    value, more = 0, 1
    while more and at < len(page):
        value, more = value << 7 | page[at] & 0x7F, page[at] & 0x80
        at += 1
    return value, at

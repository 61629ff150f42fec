"""Segments of the search indexes, left by single saves and merged by index maintenance."""

import apsw

from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX

_INDEXES = ("search", MESSAGE_INDEX)
_MANY_AGED = "SELECT unmerged * 10 > live FROM ageing, statistics"
_PAGES = 500
"""Maximum number of pages to merge in an index in one step. A step takes 20 to 40 ms."""


def merge_segments(connection: apsw.Connection) -> bool:
    """Merge some segments of the indexes. Return True if there were any to merge.

    Segments are merged once a level of the index has four of them (`usermerge`). A save itself merges only at
    sixteen (`automerge`), so that all saves take about the same time. Measured at 40,000 memories: with 26
    segments, FTS5 takes 1.5 to 2.5 times as long as with the two left after maintenance.
    """
    return _merge(connection, _PAGES)


def begin_merging_all(connection: apsw.Connection) -> None:
    """Begin to merge all segments of each index into one; `merge_segments` continues.

    Only a merge of all segments drops the entries of changed rows.
    """
    _merge(connection, -_PAGES)


def merge_after_ageing(connection: apsw.Connection, aged: int) -> None:
    """Begin to merge all segments once the deleted words of aged rows take a tenth of the index.

    Args:
        connection: A write transaction on the project's file.
        aged: Number of newly aged rows.
    """
    connection.execute("UPDATE ageing SET unmerged = unmerged + ?", (aged,))
    if connection.execute(_MANY_AGED).get:
        begin_merging_all(connection)
        connection.execute("UPDATE ageing SET unmerged = 0")


def _merge(connection: apsw.Connection, pages: int) -> bool:
    before = connection.total_changes()
    for index in _INDEXES:
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,))  # noqa: S608 - our own constants
    # A merge without work counts as one change ("The 'merge' command", sqlite.org/fts5.html).
    return connection.total_changes() - before > len(_INDEXES)

"""Merge the segments of the search indexes. Each save leaves small segments."""

import apsw

from lamella_adapters.sqlite.schema.migrations import MESSAGE_INDEX

_INDEXES = ("search", MESSAGE_INDEX)
_MANY_AGED = "SELECT unmerged * 10 > live FROM ageing, statistics"
_PAGES = 500
"""Maximum number of pages of an index to merge in one step. A step takes 20 to 40 ms."""


def merge_segments(connection: apsw.Connection) -> bool:
    """Merge some segments of the indexes. Return True if there were any to merge.

    Segments are merged once a level of the index has four segments (`usermerge`). A save itself merges only if a
    level has sixteen (`automerge`), so that all saves take about the same time. Measured with 40,000 memories,
    searches with 26 segments took 1.5 to 2.5 times as long as with two, the number after maintenance.
    """
    return _merge(connection, _PAGES)


def begin_merging_all(connection: apsw.Connection) -> None:
    """Begin to merge all segments of each index into one. Later calls of `merge_segments` continue.

    Only a merge of all segments drops the entries of changed rows.
    """
    _merge(connection, -_PAGES)


def merge_after_ageing(connection: apsw.Connection, aged: int) -> None:
    """Count aged rows. If their deleted words take a tenth of the index, begin to merge all segments.

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

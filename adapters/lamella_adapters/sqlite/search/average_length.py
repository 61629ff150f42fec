"""Average length of the rows of a full-text index. FTS5 discloses it to auxiliary functions only."""

from typing import Final
from weakref import WeakSet

import apsw

from lamella_adapters.fts5 import bm25

_NAME: Final = "average_length"
_AVERAGE: Final = f"SELECT {_NAME}({{index}}) FROM {{index}} WHERE {{index}} MATCH ? LIMIT 1"  # noqa: S608 - the names of indexes are our own constants

_prepared: Final[WeakSet[apsw.Connection]] = WeakSet()
"""Connections with the registered function."""


def average_length(connection: apsw.Connection, index: str, phrase: bm25.Phrase) -> float:
    """Return the average number of tokens in the rows of an index. Some row must have `phrase`."""
    if connection not in _prepared:
        connection.register_fts5_function(_NAME, _average_length)
        _prepared.add(connection)
    average: float = connection.execute(_AVERAGE.format(index=index), (phrase.text,)).get
    return average


def _average_length(row: apsw.FTS5ExtensionApi, *_: object) -> float:
    return row.column_total_size(-1) / row.row_count

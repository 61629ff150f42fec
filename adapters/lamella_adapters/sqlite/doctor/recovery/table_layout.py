"""Layout of the rows and index entries of each table, read from the schema of a database."""

from collections.abc import Mapping, Sequence
from typing import Any

import apsw
from attrs import frozen

from lamella_adapters.sqlite.doctor.recovery.pages import Record, Value
from lamella_adapters.sqlite.file.connection import fetch

_ROWID = -1
"""SQLite's column number for the rowid."""

_TABLES = """
SELECT name, type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~', wr FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name
"""
_COLUMNS = 'SELECT name, type, "notnull", dflt_value IS NULL, pk FROM pragma_table_xinfo(?) ORDER BY cid'
_INDEXES = "SELECT name, origin = 'pk' FROM pragma_index_list(?)"
_ENTRIES = "SELECT cid FROM pragma_index_xinfo(?) ORDER BY seqno"
_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,)}
_ANY = (int, str, bytes)


@frozen
class Column:
    """A column of a table, which holds one value of a record."""

    name: str
    types: tuple[type, ...]
    optional: bool = False
    """True if it may be NULL."""
    defaulted: bool = False
    """True if rows that are older than the column may lack it."""

    def takes(self, value: Value) -> bool:
        """Return True if the column can hold `value`."""
        return self.optional if value is None else isinstance(value, self.types)


@frozen(kw_only=True)
class Table:
    """A table, with its columns in the order of its records."""

    name: str
    ours: bool
    """True if the rows are our own, not those of a search index or of SQLite."""
    numbered: bool
    """True if rows have rowids."""
    columns: tuple[Column, ...]
    key: frozenset[str]
    """The columns of the primary key; none if that is the rowid."""
    number: str | None
    """The column that is an alias of the rowid; records have NULL in its place."""
    indexes: Mapping[str, tuple[str | None, ...]]
    """The columns in the entries of each further index; None stands for the rowid."""

    def fits(self, record: Record) -> bool:
        """Return True if `record` can be a row of this table."""
        columns, values = self.columns, record.values
        return (
            (record.rowid is not None) == self.numbered
            and len(values) <= len(columns)
            and all(column.defaulted for column in columns[len(values) :])
            and all(map(Column.takes, columns, values))
            and all(
                value is None for column, value in zip(columns, values, strict=False) if column.name == self.number
            )
        )

    def identity(self, record: Record) -> tuple[Value, ...]:
        """Return the values that identify the row in this table."""
        if self.numbered:
            return (record.rowid,)
        return tuple(
            value for column, value in zip(self.columns, record.values, strict=False) if column.name in self.key
        )

    def indexed_row(self, index: str, entry: Record) -> tuple[Value, ...] | None:
        """Return the identity of the row that an index entry refers to; None if it is no entry of the index."""
        places = self.indexes[index]
        if len(places) != len(entry.values):
            return None
        if self.numbered:
            number = entry.values[places.index(None)]
            return (number,) if isinstance(number, int) else None
        values = dict(zip(places, entry.values, strict=True))
        return tuple(values[column.name] for column in self.columns if column.name in self.key)

    def could_be_entry(self, record: Record) -> bool:
        """Return True if `record` can be an entry of one of the indexes."""
        types = {column.name: column for column in self.columns}
        number = Column("", (int,))
        return record.rowid is None and any(
            len(places) == len(record.values)
            and all(
                (number if place is None else types[place]).takes(value)
                for place, value in zip(places, record.values, strict=True)
            )
            for places in self.indexes.values()
        )


def tables(connection: apsw.Connection) -> Sequence[Table]:
    """Return all tables of a database, including the shadow tables of search indexes."""
    return [
        _table(connection, name, ours=bool(ours), numbered=not without)
        for name, ours, without in fetch(connection, _TABLES)
    ]


def _table(connection: apsw.Connection, name: str, *, ours: bool, numbered: bool) -> Table:
    found = fetch(connection, _COLUMNS, (name,))
    key = frozenset(column for column, *_, place in found if place)
    number = None
    if numbered:
        number = next((column for column, type, *_ in found if key == {column} and type == "INTEGER"), None)
    columns = [_column(row, number=number, in_index=not numbered and row[0] in key) for row in found]
    indexes = {}
    for index, is_primary in fetch(connection, _INDEXES, (name,)):
        entries = [cid for (cid,) in fetch(connection, _ENTRIES, (index,))]
        if is_primary and not numbered:
            # The table is this index: its key comes first.
            columns = [columns[cid] for cid in entries]
        else:
            indexes[index] = _names(found, entries)
    return Table(
        name=name, ours=ours, numbered=numbered, columns=tuple(columns), key=key, number=number, indexes=indexes
    )


def _names(columns: Sequence[tuple[Any, ...]], entries: Sequence[int]) -> tuple[str | None, ...]:
    return tuple(None if cid == _ROWID else columns[cid][0] for cid in entries)


def _column(row: tuple[Any, ...], *, number: str | None, in_index: bool) -> Column:
    """Return the layout of a column; `in_index` says that it is part of the key of a table without rowids."""
    name, type, not_null, no_default, _ = row
    return Column(
        name,
        _TYPES.get(type, _ANY),
        optional=name == number or not (not_null or in_index),
        defaulted=not no_default or not not_null,
    )

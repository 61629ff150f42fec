"""What rows and entries of each table and index look like, as the schema of a database says."""

from collections.abc import Mapping, Sequence

import apsw
from attrs import frozen

from lamella_adapters.sqlite.doctor.recovery.pages import Record, Value
from lamella_adapters.sqlite.file.connection import fetch

_ROWID = -1
"""SQLite's number for the column that numbers rows."""

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
    """One value of a record."""

    name: str
    types: tuple[type, ...]
    optional: bool = False
    """Whether it may be NULL."""
    defaulted: bool = False
    """Whether rows that are older than the column lack it."""

    def takes(self, value: Value) -> bool:
        """Whether it could hold `value`."""
        return self.optional if value is None else isinstance(value, self.types)


@frozen(kw_only=True)
class Table:
    """A table, with its columns in the order in which its records have them."""

    name: str
    ours: bool
    """Whether its rows are our own, not those of a search index or of SQLite."""
    numbered: bool
    """Whether rows have numbers."""
    columns: tuple[Column, ...]
    key: frozenset[str]
    """The columns that tell one row from another; none where the number does."""
    number: str | None
    """The column that is the number; its records have NULL in its place."""
    indexes: Mapping[str, tuple[str | None, ...]]
    """The columns of the entries of each index beside the table's own; None is the number."""

    def fits(self, record: Record) -> bool:
        """Whether `record` could be a row of this table."""
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
        """What tells the row apart from the others of this table."""
        if self.numbered:
            return (record.rowid,)
        return tuple(
            value for column, value in zip(self.columns, record.values, strict=False) if column.name in self.key
        )

    def named_in(self, index: str, entry: Record) -> tuple[Value, ...] | None:
        """The identity of the row that `entry` of an index stands for; None if it is no such entry."""
        places = self.indexes[index]
        if len(places) != len(entry.values):
            return None
        if self.numbered:
            number = entry.values[places.index(None)]
            return (number,) if isinstance(number, int) else None
        named = dict(zip(places, entry.values, strict=True))
        return tuple(named[column.name] for column in self.columns if column.name in self.key)

    def could_be_entry(self, record: Record) -> bool:
        """Whether `record` could stand in one of the indexes as well."""
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
    """All tables of a database, also those that search indexes are made of."""
    return [
        _table(connection, name, ours=bool(ours), numbered=not without)
        for name, ours, without in fetch(connection, _TABLES)
    ]


def _table(connection: apsw.Connection, name: str, *, ours: bool, numbered: bool) -> Table:
    found = fetch(connection, _COLUMNS, (name,))
    key = [column for column, *_, place in found if place]
    number = next(
        (column for column, type, *_ in found if numbered and key == [column] and type == "INTEGER"), None
    )
    columns = [
        Column(
            column,
            _TYPES.get(type, _ANY),
            optional=column == number or not (filled or (not numbered and column in key)),
            defaulted=not plain or not filled,
        )
        for column, type, filled, plain, _ in found
    ]
    indexes: dict[str, tuple[str | None, ...]] = {}
    for index, own in fetch(connection, _INDEXES, (name,)):
        places = [cid for (cid,) in fetch(connection, _ENTRIES, (index,))]
        if own and not numbered:
            # The table is this index: its key comes first.
            columns = [columns[cid] for cid in places]
        else:
            indexes[index] = tuple(None if cid == _ROWID else found[cid][0] for cid in places)
    return Table(
        name=name,
        ours=ours,
        numbered=numbered,
        columns=tuple(columns),
        key=frozenset(key),
        number=number,
        indexes=indexes,
    )

"""Layout of the rows and index entries of each table, according to the schema of a database."""

from collections.abc import Mapping, Sequence

import apsw
from attrs import frozen

from lamella_adapters.sqlite.doctor.recovery.pages import Record, Value
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.statements import statements

SQL = statements(__file__)

_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,)}
_ANY = (int, str, bytes)


@frozen
class Column:
    """Column of a table, with the types of its values."""

    name: str
    types: tuple[type, ...]
    optional: bool = False
    """True if values may be NULL."""
    defaulted: bool = False
    """True if the column was added later. Rows that are older than the column may lack its value."""
    in_key: bool = False
    """True if the column is part of the primary key."""

    def takes(self, value: Value) -> bool:
        """Return True if the column can hold `value`."""
        return self.optional if value is None else isinstance(value, self.types)


_ROWID = Column("rowid", (int,))


@frozen(kw_only=True)
class Table:
    """Table, with its columns in the order of the values in a record."""

    name: str
    ours: bool
    """True for a table of lamella, False for one of a search index or of SQLite."""
    numbered: bool
    """True if rows have rowids."""
    columns: tuple[Column, ...]
    number: str | None
    """Name of the column that is an alias of the rowid. In records, the value of this column is NULL."""
    indexes: Mapping[str, tuple[Column, ...]]
    """Columns of the entries of each index, keyed by index name.

    If rows have rowids, the rowid is the last column. A table without rowids is stored in the index of its primary
    key, so this index is left out.
    """

    def fits(self, record: Record) -> bool:
        """Return True if `record` can be a row of this table."""
        columns, values = self.columns, record.values
        return (
            (record.rowid is not None) == self.numbered
            and len(values) <= len(columns)
            and all(column.defaulted for column in columns[len(values) :])
            and all(map(Column.takes, columns, values))
        )

    def identity(self, record: Record) -> tuple[Value, ...]:
        """Return the values that identify a row: its rowid or, in a table without rowids, its primary key."""
        if self.numbered:
            return (record.rowid,)
        return tuple(value for column, value in zip(self.columns, record.values, strict=False) if column.in_key)

    def indexed_row(self, index: str, entry: Record) -> tuple[Value, ...] | None:
        """Return the identity of the row that `entry` refers to. Return None if `entry` can't be of this index."""
        columns, values = self.indexes[index], entry.values
        if len(columns) != len(values):
            return None
        if self.numbered:
            return values[-1:] if isinstance(values[-1], int) else None
        by_name = {column.name: value for column, value in zip(columns, values, strict=True)}
        return tuple(by_name[column.name] for column in self.columns if column.in_key)

    def could_be_entry(self, record: Record) -> bool:
        """Return True if a record can be an entry of one of the indexes."""
        return record.rowid is None and any(
            len(columns) == len(record.values) and all(map(Column.takes, columns, record.values))
            for columns in self.indexes.values()
        )


def tables(connection: apsw.Connection) -> Sequence[Table]:
    """Return all tables of a database, including the shadow tables of search indexes."""
    return [
        _table(connection, name, ours=bool(ours), numbered=not without)
        for name, ours, without in fetch(connection, SQL["tables"])
    ]


def _table(connection: apsw.Connection, name: str, *, ours: bool, numbered: bool) -> Table:
    found = fetch(connection, SQL["columns"], (name,))
    key = {column for column, *_, in_key in found if in_key}
    number = None
    if numbered:
        number = next((column for column, type, *_ in found if key == {column} and type == "INTEGER"), None)
    columns = [
        Column(
            column,
            () if column == number else _TYPES.get(type, _ANY),
            optional=column == number or not (not_null or (in_key and not numbered)),
            defaulted=bool(defaulted),
            in_key=bool(in_key),
        )
        for column, type, not_null, defaulted, in_key in found
    ]
    # SQLite gives the rowid the column number -1, so it is the last element here.
    in_entries = [*(_ROWID if column.name == number else column for column in columns), _ROWID]
    indexes = {}
    for index, is_primary in fetch(connection, SQL["indexes"], (name,)):
        entries = [in_entries[cid] for (cid,) in fetch(connection, SQL["entries"], (index,))]
        if is_primary and not numbered:
            # A table without rowids is stored in this index. Its records begin with the primary key.
            columns = entries
        else:
            indexes[index] = tuple(entries)
    return Table(name=name, ours=ours, numbered=numbered, columns=tuple(columns), number=number, indexes=indexes)

"""SQLite files of other programs.

The files are read without changing them, without creating files beside them, and without delaying writers.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw
from attrs import field, frozen

from lamella.domain.errors import PeerUnreadableError
from lamella.domain.text.printing import printed_line
from lamella.ports.peers import Skipped, Store
from lamella_adapters.peers.files import RIGHT_FILE, TOO_LONG, located, unreadable
from lamella_adapters.peers.files import opened as opened_file
from lamella_adapters.peers.json_records import records
from lamella_adapters.peers.values import Record
from lamella_adapters.process.tables import table
from lamella_adapters.transcripts.database import read_only

MAX_VALUE_BYTES = 8 * 1024 * 1024
"""Maximum size of a value to read."""

_HEADER = b"SQLite format 3\x00"
_WAL = 2
_READ_VERSION = 19
_BUSY_MILLISECONDS = 5_000

_CUT = re.compile(
    rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})(?=\.\.\. \[truncated\]\Z)"
)

_CODECS = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}


def is_sqlite(path: Path) -> bool:
    """Return True if a file begins as a SQLite file does.

    Raises:
        PeerUnreadableError: The file can't be opened.
    """
    with opened_file(path, follow=True) as file:
        return file.read(len(_HEADER)) == _HEADER


_OF_A_WRITER = ("another program is writing to it", "Close that program, then try again.")
_REFUSALS = (
    (apsw.BusyError, _OF_A_WRITER),
    (apsw.LockedError, _OF_A_WRITER),
    (apsw.NotADBError, ("it is not a SQLite database", RIGHT_FILE)),
    (
        apsw.CorruptError,
        ("it is damaged", "The records before the damage are imported. To import the rest, restore the file."),
    ),
    (apsw.ReadOnlyError, ("its program crashed while it was writing", "Start that program once, then try again.")),
)
"""Errors of SQLite, each with the reason and advice to show."""


@frozen
class Table:
    """Records of one kind: the rows of a table, or a list in a program's JSON export.

    Attributes:
        name: Name of the table.
        columns: Columns to read. Missing columns are left out of the rows.
        needed: Columns that every file of the program has; empty for an optional table.
        lists: Names of the lists with these records in an export.
        order: SQL expression to order the rows by.
    """

    name: str
    columns: Sequence[str]
    needed: Sequence[str] = field(default=(), kw_only=True)
    lists: Sequence[str] = field(default=(), kw_only=True)
    order: str = field(default="rowid", kw_only=True)


@frozen(eq=False)
class Tables:
    """The ordinary tables of a SQLite file: no views and no virtual tables."""

    path: Path
    _connection: apsw.Connection
    _codec: str

    def columns(self, table: str) -> frozenset[str]:
        """Return the columns of `table`; no columns if it is missing, a view or a virtual table."""
        found = self._fetched("SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND rootpage", table)
        return frozenset(
            name for (name,) in self._fetched("SELECT name FROM pragma_table_info(?)", table) if found
        )

    def count(self, *tables: str) -> int:
        """Return the number of rows in `tables`. A missing table has no rows."""
        statements = [f"SELECT count(*) FROM {_quoted(each)}" for each in tables if self.columns(each)]  # noqa: S608 - the names are our own
        return sum(count for each in statements for (count,) in self._fetched(each))

    def rows(self, table: Table) -> Iterator[Record | Skipped]:
        """Yield the values of each row, keyed by column.

        Skip rows with a value larger than `MAX_VALUE_BYTES`, and rows with a damaged text.

        Raises:
            PeerUnreadableError: The table lacks a required column.
        """
        there, called = self.columns(table.name), table.name
        if lacking := [each for each in table.needed if each not in there]:
            what = f"no table {called}" if not there else f"no column {lacking[0]} in its table {called}"
            raise unreadable(self.path, f"it has {what}", "Give a file of this program, or update lamella.")
        names = [each for each in table.columns if each in there]
        if not names:
            return
        sizes = ", ".join(f"ifnull(octet_length({_quoted(each)}), 0)" for each in names)
        values = ", ".join(_value(each) for each in names)
        statement = f"SELECT max(0, 0, {sizes}), {values} FROM {_quoted(called)} ORDER BY {table.order}"  # noqa: S608 - the names are our own
        row: tuple[Any, ...]
        for row in self._connection.execute(statement):
            try:
                decoded = dict(zip(names, map(self._decoded, row[1:]), strict=True))
                yield TOO_LONG if row[0] > MAX_VALUE_BYTES else decoded
            except UnicodeDecodeError:
                yield Skipped(f"not in {self._codec.upper()}: {names[0]} {_shown(row[1])} in table {called}")

    def _fetched(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def _decoded(self, value: Any) -> Any:
        if not isinstance(value, bytes):
            return value
        # Engram truncates texts between bytes, not between characters.
        return _CUT.sub("\ufffd".encode(), value).decode(self._codec)


@contextmanager
def opened(path: Path) -> Iterator[Tables]:
    """Open a SQLite file of another program. All reads see one state, including the write-ahead log.

    Raises:
        PeerUnreadableError: The file can't be opened, or reading fails inside the block.
    """
    with _translated(path), _unchanged(path), _connected(path) as connection:
        encoding = str(connection.execute("PRAGMA encoding").fetchall()[0][0])
        connection.execute("BEGIN")
        yield Tables(path, connection, _CODECS.get(encoding, "utf-8"))


@contextmanager
def reading(path: Path) -> Iterator[Callable[[Table], Iterator[Record | Skipped]]]:
    """Open a SQLite file or an export in JSON. Yield a function for reading the records of a table.

    Raises:
        PeerUnreadableError: The file can't be opened, or reading fails inside the block.
    """
    if is_sqlite(path):
        with opened(path) as tables:
            yield tables.rows
    else:
        yield lambda table: records(path, *table.lists)


def tables_of(program: str) -> Mapping[str, Table]:
    """Return the tables of a program from `tables.toml`, keyed by name."""
    return {name: Table(name, **fields) for name, fields in table(__file__, "tables")[program].items()}


def stores_of(
    program: str, given: Path | None, usual: Path, *tables: Table, names: Sequence[str] = (), remark: str = ""
) -> tuple[Store, ...]:
    """Return the existing files of a program as stores of memories.

    The rows of a SQLite file are counted, unless they can't be read.

    Args:
        program: Name of the program.
        given: File or folder given by the user; None for the `usual` file.
        usual: The program's own file.
        *tables: Tables to count rows of.
        names: Possible names of the file in a given folder, besides the name of the usual file.
        remark: Note to the user about the memories of a SQLite file.

    Raises:
        PeerUnreadableError: No file exists.
    """
    found = located(program, given, [usual], names or [usual.name])
    return tuple(_store(each, tables, remark) for each in found)


def _store(path: Path, tables: Sequence[Table], remark: str) -> Store:
    if not is_sqlite(path):
        return Store(place=path)
    count = None
    with suppress(PeerUnreadableError), opened(path) as there:
        count = there.count(*(each.name for each in tables))
    return Store(place=path, records=count, remark=remark)


@contextmanager
def _connected(path: Path) -> Iterator[apsw.Connection]:
    options = _options(path)
    # SQLite refuses rows above this size. It is a limit for the whole row, which may have several large values.
    connection = read_only(path, options, longest=8 * MAX_VALUE_BYTES, patience=_BUSY_MILLISECONDS)
    try:
        connection.execute("PRAGMA temp_store = MEMORY")
        if "unix-none" in options:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        yield connection
    finally:
        connection.close()


@contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    """Check that no program has begun to write to a file during the block, if the file is read without locks."""
    if "immutable" not in _options(path):
        yield
        return
    before = path.stat()
    yield
    after = path.stat()
    if (before.st_size, before.st_mtime_ns, before.st_ino) != (after.st_size, after.st_mtime_ns, after.st_ino):
        raise unreadable(
            path,
            "another program began to write to it",
            "Import again, to be sure that every memory was imported.",
        )


def _options(path: Path) -> str:
    """Return the options to open a SQLite file without creating files beside it.

    A SQLite file in WAL mode is in use only if a write-ahead log and a shared-memory file are beside it. A log
    without a shared-memory file was left by a crash, or is a copy.
    """
    place = path.resolve()
    log, memory = Path(f"{place}-wal"), Path(f"{place}-shm")
    if log.is_file() and log.stat().st_size:
        return "mode=ro" if memory.exists() else "mode=ro&vfs=unix-none"
    return "immutable=1" if _keeps_a_log(place) and not memory.exists() else "mode=ro"


def _keeps_a_log(path: Path) -> bool:
    with opened_file(path) as file:
        return file.read(_READ_VERSION + 1)[_READ_VERSION:] == bytes([_WAL])


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        usual = (f"SQLite refused it ({type(error).__name__})", "")
        why, advice = next((said for kind, said in _REFUSALS if isinstance(error, kind)), usual)
        raise unreadable(path, why, advice) from error


def _shown(id: Any) -> str:
    return printed_line(id.decode(errors="backslashreplace") if isinstance(id, bytes) else str(id))


def _value(column: str) -> str:
    """Return the SQL expression for a value. Text is read as bytes, because it may be invalid UTF-8."""
    name = _quoted(column)
    size = f"octet_length({name}) > {MAX_VALUE_BYTES}"
    return f"CASE WHEN {size} THEN NULL WHEN typeof({name}) = 'text' THEN CAST({name} AS BLOB) ELSE {name} END"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'

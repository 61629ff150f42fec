"""Makes a broken database anew of every row that can still be read, and keeps the broken one beside it."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path

import apsw
from attrs import Factory, define

from lamella_adapters.sqlite.doctor import (
    embeddings,
    ledger,
    search_index,
)
from lamella_adapters.sqlite.doctor import (
    rows as true_rows,
)
from lamella_adapters.sqlite.doctor.recovery.pages import Pages, Record, Value
from lamella_adapters.sqlite.doctor.recovery.table_layout import Table, tables
from lamella_adapters.sqlite.file import files, header_and_copy, saved_count
from lamella_adapters.sqlite.file.connection import (
    BUSY_SECONDS,
    Patience,
    beside,
    connect,
    damaged,
    fetch,
    in_our_words,
)
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.schema import migrations
from lamella_adapters.sqlite.tables import context_column

_SCHEMA_PAGE = 1
_SEQUENCES = "sqlite_sequence"
_LAST = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'observation'"
_RAISE = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1"
_WORDS = {"observation": "memories", "message": "messages"}
_OTHER = "other rows"
_UNNAMED = "memories or messages of which nothing is left"
_IN_SESSIONS = "SELECT seq, session, moment FROM observation WHERE session IS NOT NULL AND purged_at IS NULL"
_REFERENCES = 'SELECT "from", "table" FROM pragma_foreign_key_list(?)'


@define
class Account:
    """How many rows were read, and how many are known to be lost, each by what it is."""

    read: Counter[str] = Factory(Counter)
    lost: Counter[str] = Factory(Counter)
    unused: int = 0
    """How many numbers of memories were given out and have no memory."""
    unlisted: bool = False
    """Whether the list of tables lacks some of ours: what stood in small ones may not be known any more."""

    def __str__(self) -> str:
        """All of it in words."""
        lost = f"at least {_listed(self.lost)} are lost" if self.lost.total() else "none is known to be lost"
        # What neither a row nor an index speaks of may also have been erased by its owner.
        gone = f"; {self.unused} more memories are lost or were erased before" if self.unused else ""
        unseen = "; the list of tables was broken, so that other rows may be lost too" if self.unlisted else ""
        return f"{_listed(self.read)} could be read; {lost}{gone}{unseen}"


def _listed(counts: Counter[str]) -> str:
    parts = [f"{counts[word]} {word}" for word in (*_WORDS.values(), _OTHER, _UNNAMED) if counts[word]]
    return ", ".join(parts) or "nothing"


def salvage(path: Path, identity: Callable[[apsw.Connection], None]) -> str:
    """Puts what can be read of a project's file in its place; says what that was, and where the broken one is.

    Nobody else can write meanwhile, and those who have the file open go on with its new contents: they are written
    into the same file, in one transaction. `identity` writes the row by which the file names its project, should
    that be lost.

    Raises:
        StorageError: it could not be done; everything is as it was.
    """
    with in_our_words(), ExitStack() as stack:
        draft, image, kept, kept_log = (stack.enter_context(files.draft_of(path)) for _ in range(4))
        target = stack.enter_context(closing(_as_it_is(path)))
        version = files.version_of(target)
        if not 1 <= version <= len(migrations.PROJECT):
            raise damaged()
        with closing(connect(draft, writable=True)) as made:
            files.begin(made, migrations.PROJECT[:version])
            made.execute("COMMIT")
        new = stack.enter_context(closing(connect(draft, writable=True)))
        with target.backup("main", new, "main") as writing:
            # It copies no page yet, and has the write lock from here to its end.
            writing.step(0)
            header_and_copy.copy(path, kept)
            log = beside(path)[0]
            if log.exists():
                header_and_copy.copy(log, kept_log)
            _copy_pages(path, image)
            account = _filled(new, version, image, identity)
            account.lost[_UNNAMED] += _missed(new, saved_count.noted(path))
            _derived(draft)
            where = _set_aside(path, kept, kept_log)
            writing.step()
            # It is done; if this fails, doctor tells of what is missing once more.
            with suppress(OSError):
                saved_count.renew(path, saved_count.of(new))
    return f"{account}. The broken file is kept as {where}."


def _as_it_is(path: Path) -> apsw.Connection:
    """A connection that doesn't mind a schema it cannot read, nor pages that are not there."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    patience = Patience()
    patience.until(BUSY_SECONDS)
    connection.set_busy_handler(patience)
    connection.execute("PRAGMA writable_schema = ON").fetchall()
    return connection


def _copy_pages(path: Path, image: Path) -> None:
    """Copies the pages of a database, with those that are in its log."""
    with (
        closing(_as_it_is(path)) as source,
        closing(apsw.Connection(str(image))) as target,
        target.backup("main", source, "main") as transfer,
    ):
        transfer.step()


def _set_aside(path: Path, kept: Path, kept_log: Path) -> str:
    """Gives the copies of the broken file and its log names that last; that of the file."""
    label = files.suffix_of("damaged")
    aside = path.with_name(path.name + label)
    if kept_log.stat().st_size:
        os.link(kept_log, path.with_name(beside(path)[0].name + label))
    os.link(kept, aside)
    files.sync_directory(path.parent)
    return aside.name


def _filled(
    new: apsw.Connection, version: int, image: Path, identity: Callable[[apsw.Connection], None]
) -> Account:
    with image.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        # Rows go in as they were; what triggers would make of them was read as well, or is made anew below.
        new.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        new.execute("PRAGMA foreign_keys = OFF")
        new.execute("BEGIN IMMEDIATE")
        salvage = _Salvage(new, Pages(content), tables(new))
        salvage.read()
        files.apply(new, migrations.PROJECT, version)
        account = salvage.account()
        if not fetch(new, "SELECT 1 FROM project"):
            identity(new)
        for sequence, session, moment in fetch(new, _IN_SESSIONS):
            context_column.set_context(
                new, sequence, context_column.context_before(new, session, moment, sequence)
            )
        new.execute("COMMIT")
    return account


def _missed(new: apsw.Connection, noted: int) -> int:
    """How much of what was noted to be saved nothing speaks of any more; its numbers are not given out again."""
    missed = max(0, noted - saved_count.of(new))
    if missed:
        known = fetch(new, _LAST)[0][0]
        new.execute("DELETE FROM sqlite_sequence WHERE name = 'observation'")
        new.execute("INSERT INTO sqlite_sequence VALUES ('observation', ?)", (known + missed,))
    return missed


def _derived(draft: Path) -> None:
    """Makes anew what is made of rows, where some are lost or it is lost itself."""
    database = Database(draft, migrations.PROJECT)
    try:
        for mend in (
            search_index.rebuild,
            embeddings.embed_anew,
            embeddings.place_anew,
            ledger.made_anew,
        ):
            mend(database)
    finally:
        database.close()


@define
class _Salvage:
    """The rows on their way from the pages of a broken file into a new one."""

    new: apsw.Connection
    pages: Pages
    tables: Sequence[Table]
    _read: dict[str, set[tuple[Value, ...]]] = Factory(dict)
    _known: dict[str, set[tuple[Value, ...]]] = Factory(dict)
    """The rows of each table that were read, and those that its indexes speak of."""
    _seen: set[int] = Factory(set)
    _unlisted: bool = False

    def read(self) -> None:
        """Brings every row over that can be read."""
        roots = dict(self._roots())
        self._unlisted = any(table.ours and table.name not in roots for table in self.tables)
        for table in self.tables:
            for record in self._below(roots, table.name):
                self._keep(table, record)
        for table in self.tables:
            if table.ours:
                self._known[table.name] = self._named(roots, table)
        for record in self.pages.strays(self._seen):
            could_be = [each for each in self.tables if each.fits(record) or each.could_be_entry(record)]
            if len(could_be) == 1:
                self._keep(could_be[0], record)
        # No number is given out twice, though its row be lost.
        for record in self._below(roots, _SEQUENCES):
            match record.values:
                case (str(), int()):
                    self.new.execute(_RAISE, record.values)

    def account(self) -> Account:
        """Leaves out what is of no use, and tells how many rows there are and were."""
        for name, row in self._untrue():
            self._read[name].discard(row)
            self._known[name].add(row)
        self._drop_parts_of_lost()
        account = Account(unlisted=self._unlisted)
        for name, rows in self._known.items():
            word, read = _WORDS.get(name, _OTHER), self._read.get(name, set())
            account.read[word] += len(read)
            account.lost[word] += len(rows - read)
        ((last,),) = fetch(self.new, _LAST)
        account.unused = max(0, last - account.read["memories"] - account.lost["memories"])
        return account

    def _roots(self) -> Iterator[tuple[str, int]]:
        """The topmost page of each table and index whose entry in the schema can be read."""
        for record in self.pages.below(_SCHEMA_PAGE, self._seen):
            match record.values:
                case (_, str(name), _, int(root), _):
                    yield name, root

    def _below(self, roots: dict[str, int], name: str) -> Iterator[Record]:
        return self.pages.below(roots[name], self._seen) if name in roots else iter(())

    def _named(self, roots: dict[str, int], table: Table) -> set[tuple[Value, ...]]:
        """The rows that the indexes of a table speak of."""
        named = (table.named_in(index, entry) for index in table.indexes for entry in self._below(roots, index))
        return {each for each in named if each is not None}

    def _keep(self, table: Table, record: Record) -> None:
        """Writes a row into the new file, unless it is none of this table's, or there already."""
        name, row = table.name, table.identity(record)
        if not table.ours or not table.fits(record) or row in self._read.get(name, ()):
            return
        if name not in self._read:
            # A new file has rows of its own in some tables.
            self.new.execute(f'DELETE FROM "{name}"')  # noqa: S608 - a name of our own schema
        values = dict(zip((column.name for column in table.columns), record.values, strict=False))
        if table.numbered:
            values[table.number or "rowid"] = record.rowid
        columns, places = ", ".join(f'"{column}"' for column in values), ", ".join("?" * len(values))
        try:
            self.new.execute(f'INSERT INTO "{name}" ({columns}) VALUES ({places})', [*values.values()])  # noqa: S608 - made of our own constants
        except apsw.ConstraintError:
            return
        self._read.setdefault(name, set()).add(row)

    def _untrue(self) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Leaves rows out that can be read and are not what was saved; their tables, and which they are."""
        # Of these it can no longer be told, for it was also saved which files they changed.
        for sequence, *_ in self._known["code_change"] - self._read.get("code_change", set()):
            true_rows.accept(self.new, sequence)
        memories = [("observation", "seq", each) for each in true_rows.untrue_memories(self.new)]
        for table, column, value in [*memories, *true_rows.untrue_rows(self.new)]:
            self.new.execute(f"DELETE FROM {table} WHERE {column} = ?", (value,))  # noqa: S608 - our own names
            yield table, (value,)

    def _drop_parts_of_lost(self) -> None:
        """Leaves rows out that belong to one that is lost."""
        for table in self.tables:
            for column, parent in fetch(self.new, _REFERENCES, (table.name,)):
                self.new.execute(
                    f'DELETE FROM "{table.name}" WHERE "{column}" NOT IN (SELECT rowid FROM "{parent}")'  # noqa: S608 - made of our own constants
                )

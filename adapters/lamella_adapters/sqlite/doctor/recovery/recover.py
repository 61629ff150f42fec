"""Recovery of a broken database. It is rebuilt from all readable rows, and the broken file is kept beside it."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path

import apsw
from attrs import Factory, define

from lamella.domain.text.printing import counted
from lamella_adapters.sqlite.doctor.derived import embed_again, rebuild_blocks, rebuild_indexes, rebuild_ledger
from lamella_adapters.sqlite.doctor.recovery.pages import Pages, Record, Value
from lamella_adapters.sqlite.doctor.recovery.table_layout import Table, tables
from lamella_adapters.sqlite.doctor.rows import accept, altered_memories, altered_rows
from lamella_adapters.sqlite.file import connection, folders, header_and_copy, migrate
from lamella_adapters.sqlite.file.create import draft_of
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.file.write_queue import note_of
from lamella_adapters.sqlite.projects import scope
from lamella_adapters.sqlite.schema import migrations

MEMORIES, MESSAGES, OTHER = "memory", "message", "other row"
UNNAMED = "vanished row"


@define
class Account:
    """Numbers of recovered rows, and of rows that are certainly lost. Both are keyed by kind."""

    read: Counter[str] = Factory(Counter)
    lost: Counter[str] = Factory(Counter)
    unused: int = 0
    """Number of used sequence numbers that neither a recovered nor a certainly lost memory has."""
    unlisted: bool = False
    """True if the list of tables in the file is incomplete. Rows may then be lost without being counted."""

    def __str__(self) -> str:
        """Return a sentence without a full stop."""
        lost = f"lost: at least {_listed(self.lost)}" if self.lost.total() else "none is known to be lost"
        # If a sequence number has no row and no index entry, its memory isn't necessarily lost. The memory may
        # have been erased before.
        gone = f"; lost or erased before: {counted(self.unused, 'more memory')}" if self.unused else ""
        unseen = "; the list of tables was broken, so that other rows may be lost too" if self.unlisted else ""
        return f"{_listed(self.read)} could be read; {lost}{gone}{unseen}"


def _listed(counts: Counter[str]) -> str:
    parts = [counted(counts[kind], kind) for kind in (MEMORIES, MESSAGES, OTHER, UNNAMED) if counts[kind]]
    return ", ".join(parts) or "nothing"


_SCHEMA_PAGE = 1
_SEQUENCES = "sqlite_sequence"
_RAISE = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1"
_KINDS = {"observation": MEMORIES, "message": MESSAGES}
_REFERENCES = 'SELECT "from", "table" FROM pragma_foreign_key_list(?)'


def recover(path: Path, identify: Callable[[apsw.Connection], None]) -> str:
    """Replace a project's file by its readable contents.

    Other processes can't write during the recovery. The new contents are written into the same file in one
    transaction. Processes that have the file open continue with the new contents.

    Args:
        path: The broken file.
        identify: Writes the row that describes the project. It is called if this row is lost.

    Returns:
        Sentences for the user: the numbers of recovered and lost rows, and the name of the broken file's copy.

    Raises:
        StorageError: The recovery failed; nothing was changed.
    """
    with connection.translated_sqlite_errors, ExitStack() as stack:
        draft, image, kept, kept_log = (stack.enter_context(draft_of(path)) for _ in range(4))
        target = stack.enter_context(connection.lenient_connection(path))
        version = connection.version_of(target)
        if not 1 <= version <= len(migrations.PROJECT):
            raise connection.failure("damaged")
        header_and_copy.write(draft, migrate.empty(tuple(migrations.PROJECT[:version])))
        new = stack.enter_context(closing(connection.connect(draft, writable=True)))
        with target.backup("main", new, "main") as writing:
            # This step copies no page. It only takes the write lock, which is kept until the backup ends.
            writing.step(0)
            header_and_copy.copy(path, kept)
            log = connection.beside(path)[0]
            if log.exists():
                header_and_copy.copy(log, kept_log)
            _copy_pages(path, image)
            account = _fill(new, version, image, identify)
            # Saves that have left no trace in the pages count as lost.
            account.lost[UNNAMED] += scope.reserve_missing(new, scope.noted_count(note_of(path)))
            _rebuild_derived(draft)
            kept_as = _keep_copies(path, kept, kept_log)
            writing.step()
            # The recovery is complete now. If the next line fails, `doctor` only reports the missing rows once
            # more.
            with suppress(OSError):
                scope.note_count(note_of(path), scope.count_saved(new))
    return f"{account}. The broken file is kept as {kept_as}."


def _copy_pages(path: Path, image: Path) -> None:
    """Copy the pages of a database, including the pages in its log."""
    with (
        connection.lenient_connection(path) as source,
        closing(apsw.Connection(str(image))) as target,
        target.backup("main", source, "main") as transfer,
    ):
        transfer.step()


def _keep_copies(path: Path, kept: Path, kept_log: Path) -> str:
    """Give permanent names to the copies of the broken file and its log. Return the name of the file's copy."""
    label = folders.dated_suffix("damaged")
    aside = path.with_name(path.name + label)
    if kept_log.stat().st_size:
        os.link(kept_log, path.with_name(connection.beside(path)[0].name + label))
    os.link(kept, aside)
    folders.sync(path.parent)
    return aside.name


def _fill(new: apsw.Connection, version: int, image: Path, identify: Callable[[apsw.Connection], None]) -> Account:
    """Copy the rows in `image`, a copy of the broken database, into the empty database `new`.

    Both have the schema `version`. Afterwards, `new` is updated to the present schema.
    """
    with image.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        # Disable triggers, so that rows are copied unchanged. Rows that triggers would create are copied as well,
        # or rebuilt below.
        new.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        new.execute("PRAGMA foreign_keys = OFF")
        new.execute("BEGIN IMMEDIATE")
        recovery = _Recovery(new, Pages(content), tables(new))
        recovery.read()
        migrate.apply_migrations(new, migrations.PROJECT, version)
        account = recovery.account()
        if not connection.fetch(new, "SELECT 1 FROM project"):
            identify(new)
        # Analyse all rows again, because stored contexts may contain text of lost rows. The table `unanalysed`,
        # which stores how far the analysis has come, may also be incomplete.
        new.execute(migrations.ANALYSE_ANEW)
        new.execute("COMMIT")
    return account


def _rebuild_derived(draft: Path) -> None:
    """Rebuild all data derived from rows, because recovered derived data may be incomplete."""
    with closing(Database(draft, migrations.PROJECT)) as database:
        for rebuild in (rebuild_indexes, embed_again, rebuild_blocks, rebuild_ledger):
            rebuild(database)


@define
class _Recovery:
    """Copier of the rows in the pages of a broken file into a new file."""

    new: apsw.Connection
    pages: Pages
    tables: Sequence[Table]
    _read: dict[str, set[tuple[Value, ...]]] = Factory(dict)
    _known: dict[str, set[tuple[Value, ...]]] = Factory(dict)
    """Identities of rows, keyed by table. Rows in `_read` were copied. Indexes refer to the rows in `_known`."""
    _seen: set[int] = Factory(set)
    _unlisted: bool = False

    def read(self) -> None:
        """Copy every readable row."""
        roots = dict(self._roots())
        self._unlisted = any(table.ours and table.name not in roots for table in self.tables)
        for table in self.tables:
            for record in self._below(roots, table.name):
                self._keep(table, record)
        for table in self.tables:
            if table.ours:
                self._known[table.name] = self._indexed(roots, table)
        for record in self.pages.strays(self._seen):
            could_be = [each for each in self.tables if each.fits(record) or each.could_be_entry(record)]
            if len(could_be) == 1:
                self._keep(could_be[0], record)
        # The number of a lost row must not be reused.
        for record in self._below(roots, _SEQUENCES):
            match record.values:
                case (str(), int()):
                    self.new.execute(_RAISE, record.values)

    def account(self) -> Account:
        """Delete altered rows and parts of lost rows, and then return the numbers of read and lost rows."""
        for name, row in self._drop_altered():
            self._read[name].discard(row)
            self._known[name].add(row)
        self._drop_parts_of_lost()
        account = Account(unlisted=self._unlisted)
        for name, rows in self._known.items():
            kind, read = _KINDS.get(name, OTHER), self._read.get(name, set())
            account.read[kind] += len(read)
            account.lost[kind] += len(rows - read)
        ((last,),) = connection.fetch(self.new, scope.LAST_NUMBER)
        account.unused = max(0, last - account.read[MEMORIES] - account.lost[MEMORIES])
        return account

    def _roots(self) -> Iterator[tuple[str, int]]:
        """Yield the name and the root page of each table and index that the readable part of the schema lists."""
        for record in self.pages.below(_SCHEMA_PAGE, self._seen):
            match record.values:
                case (_, str(name), _, int(root), _):
                    yield name, root

    def _below(self, roots: dict[str, int], name: str) -> Iterator[Record]:
        return self.pages.below(roots[name], self._seen) if name in roots else iter(())

    def _indexed(self, roots: dict[str, int], table: Table) -> set[tuple[Value, ...]]:
        """Return the identities of the rows that the indexes of a table refer to."""
        found = (table.indexed_row(index, entry) for index in table.indexes for entry in self._below(roots, index))
        return {each for each in found if each is not None}

    def _keep(self, table: Table, record: Record) -> None:
        """Write a row into the new file. Skip a row that doesn't fit the table, or that exists already."""
        name, row = table.name, table.identity(record)
        if not table.ours or not table.fits(record) or row in self._read.get(name, ()):
            return
        if name not in self._read:
            # Delete the initial rows, which a new file has in some tables.
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

    def _drop_altered(self) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """Delete rows that are readable, but altered. Yield the table and the identity of each."""
        # The fingerprint of a memory covers its changes of files, too. If a change was lost, the fingerprint
        # doesn't match, whether the memory was altered or not. So store a new fingerprint.
        for sequence, *_ in self._known["code_change"] - self._read.get("code_change", set()):
            accept(self.new, sequence)
        memories = [("observation", "seq", each) for each in altered_memories(self.new)]
        for table, column, value in [*memories, *altered_rows(self.new)]:
            self.new.execute(f"DELETE FROM {table} WHERE {column} = ?", (value,))  # noqa: S608 - our own names
            yield table, (value,)

    def _drop_parts_of_lost(self) -> None:
        """Delete rows that refer to lost rows."""
        for table in self.tables:
            for column, parent in connection.fetch(self.new, _REFERENCES, (table.name,)):
                self.new.execute(
                    f'DELETE FROM "{table.name}" WHERE "{column}" NOT IN (SELECT rowid FROM "{parent}")'  # noqa: S608 - made of our own constants
                )

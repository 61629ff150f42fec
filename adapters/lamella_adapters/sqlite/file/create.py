"""New database files, which appear complete or not at all."""

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file.backups import set_log_aside
from lamella_adapters.sqlite.file.connection import beside, connect
from lamella_adapters.sqlite.file.folders import locked, new_file, sync
from lamella_adapters.sqlite.file.migrate import apply_migrations
from lamella_adapters.sqlite.schema.migrations import APPLICATION_ID


def create(path: Path, migrations: Sequence[str], fill: Callable[[apsw.Connection], None]) -> None:
    """Create a database at `path` with its schema, and with the rows that `fill` writes, unless one is there.

    It is built under another name and then linked, so no other process sees an incomplete file.
    """
    if path.exists():
        return
    with draft_of(path) as draft:
        with closing(connect(draft, writable=True)) as connection:
            begin(connection, migrations)
            fill(connection)
            connection.execute("COMMIT")
            # Closing does it too, but hides a disk that refuses it; the log is deleted below.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with locked(path.parent):
            if not path.exists():
                set_log_aside(path)
                os.link(draft, path)
        sync(path.parent)


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """Create an empty private file beside `path`, and delete it and its log when the block ends.

    After a kill, `left_behind` finds it, so that erasing notices it.
    """
    draft = new_file(path.with_name(f"{path.name}.left-{secrets.token_hex(8)}"))
    try:
        yield draft
    finally:
        for leftover in (draft, *beside(draft)):
            leftover.unlink(missing_ok=True)


def begin(connection: apsw.Connection, migrations: Sequence[str]) -> None:
    """Turn an empty file into a database of lamella, in a transaction that is left open."""
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("BEGIN IMMEDIATE")
    apply_migrations(connection, migrations, 0)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

"""New database files, created atomically."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file.connection import beside, fetch
from lamella_adapters.sqlite.file.folders import locked, new_file, set_log_aside, sync
from lamella_adapters.sqlite.file.header_and_copy import write
from lamella_adapters.sqlite.file.migrate import empty

_FREE = """
SELECT freelist_count, page_count, auto_vacuum FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum
"""
_INCREMENTAL = 2
_LEAST_FREE_PAGES, _PAGES_AT_ONCE = 2_000, 500
"""Number of free pages to keep for later saves, and to give back to the disk in one step of some 10 ms."""


def create(path: Path, migrations: Sequence[str], fill: Callable[[apsw.Connection], None]) -> None:
    """Create a missing database at `path` with its schema, and with the rows written by `fill`.

    The database is built in memory, written under a temporary name and then linked, so no other process sees an
    incomplete file.
    """
    if path.exists():
        return
    with closing(apsw.Connection(":memory:")) as made:
        made.deserialize("main", empty(tuple(migrations)))
        fill(made)
        image = made.serialize("main")
    with draft_of(path) as draft:
        write(draft, image)
        with locked(path.parent):
            if not path.exists():
                set_log_aside(path)
                os.link(draft, path)
        sync(path.parent)


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """Create an empty private file beside `path`, and delete it and its log at the end of the block.

    If the process is killed, an erase finds the draft with `left_behind`.
    """
    draft = new_file(path.with_name(f"{path.name}.left-{os.urandom(8).hex()}"))
    try:
        yield draft
    finally:
        for leftover in (draft, *beside(draft)):
            leftover.unlink(missing_ok=True)


def give_back_pages(connection: apsw.Connection) -> bool:
    """Return some free pages to the disk if the file has many. Return True if it had many.

    Files begun by an earlier version can't be shortened; their free pages are reused.
    """
    ((free, pages, mode),) = fetch(connection, _FREE)
    if mode != _INCREMENTAL or free < max(_LEAST_FREE_PAGES, pages // 20):
        return False
    connection.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
    return True

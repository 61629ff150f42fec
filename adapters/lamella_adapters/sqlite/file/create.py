"""New database files, created atomically."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from lamella_adapters.sqlite.file import folders, header_and_copy, migrate
from lamella_adapters.sqlite.file.connection import beside, fetch

_FREE = """
SELECT freelist_count, page_count, auto_vacuum FROM pragma_freelist_count, pragma_page_count, pragma_auto_vacuum
"""
_INCREMENTAL = 2
_LEAST_FREE_PAGES, _PAGES_AT_ONCE = 2_000, 500
"""Minimum number of free pages before any are given back, and number of pages to give back in one step.

Free pages are kept for later saves. A step takes some 10 ms.
"""


def create(path: Path, migrations: Sequence[str], fill: Callable[[apsw.Connection], None]) -> bool:
    """Create the database at `path`, unless it exists. It has the present schema, and the rows that `fill` writes.

    The database is built in memory, written under a temporary name, and then linked to `path`. So no other process
    sees an incomplete file. Return True if this call created the database.
    """
    if path.exists():
        return False
    with closing(apsw.Connection(":memory:")) as made:
        made.deserialize("main", migrate.empty(tuple(migrations)))
        fill(made)
        image = made.serialize("main")
    with draft_of(path) as draft:
        header_and_copy.write(draft, image)
        with folders.locked(path.parent):
            created = not path.exists()
            if created:
                folders.set_log_aside(path)
                os.link(draft, path)
        folders.sync(path.parent)
    return created


@contextmanager
def draft_of(path: Path) -> Iterator[Path]:
    """Create an empty private file beside `path`. Delete the file and its log at the end of the block.

    If the process is killed in the block, the file stays, but a later erase finds it by `left_behind`.
    """
    draft = folders.new_file(path.with_name(f"{path.name}.left-{os.urandom(8).hex()}"))
    try:
        yield draft
    finally:
        for leftover in (draft, *beside(draft)):
            leftover.unlink(missing_ok=True)


def give_back_pages(connection: apsw.Connection) -> bool:
    """If the file has many free pages, give some back to the disk, and return True.

    A file created by an early version can't be shortened, but its free pages are reused.
    """
    ((free, pages, mode),) = fetch(connection, _FREE)
    if mode != _INCREMENTAL or free < max(_LEAST_FREE_PAGES, pages // 20):
        return False
    connection.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
    return True

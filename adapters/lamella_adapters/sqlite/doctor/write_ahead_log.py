"""Checks of the write-ahead log of a project's file: lost memories, and a log not moved into the file."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lamella_adapters.sqlite.doctor.check import Check, fault, warning
from lamella_adapters.sqlite.file.connection import beside, connect, fetch, translated_sqlite_errors
from lamella_adapters.sqlite.file.folders import is_there
from lamella_adapters.sqlite.file.write_queue import note_of
from lamella_adapters.sqlite.projects.scope import missing, note_count

_LONG_BYTES = 16 << 20
"""A log is normally emptied at some 4 MB; no single save or import makes it grow to this size."""


def check_log(subject: str, path: Path, *, noted: int, saved: int) -> Iterator[Check]:
    """Compare the save counter with the file, and look for a long log. `noted` was read before `saved`."""
    if noted > saved:
        yield fault(
            subject,
            missing(noted - saved),
            "accept the loss",
            lambda: accept_count(path, saved),
        )
    with translated_sqlite_errors:
        pending = _pending_bytes(path)
    if pending >= _LONG_BYTES:
        message = f"its log has grown to {pending >> 20} MB: a program reads an old state of it and does not stop"
        yield warning(subject, message)


def accept_count(path: Path, count: int) -> str:
    """Set the save counter to `count`, and report it."""
    with translated_sqlite_errors:
        note_count(note_of(path), count)
    return "What is there counts as all that was saved."


def _pending_bytes(path: Path) -> int:
    """Return the number of bytes of a long log not moved into the file."""
    log = beside(path)[0]
    if not is_there(log) or log.stat().st_size < _LONG_BYTES or not os.access(path, os.W_OK):
        return 0
    with closing(connect(path, writable=True)) as connection:
        ((_, pages, emptied),) = fetch(connection, "PRAGMA wal_checkpoint(PASSIVE)")
        size: int = connection.execute("PRAGMA page_size").get
        return int(pages - emptied) * size

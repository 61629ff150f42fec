"""Whether the log of a project's file took memories with it, and whether it can be emptied."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from lamella.ports.storage.diagnosis import Finding, Severity
from lamella_adapters.sqlite.doctor.check import Check, fault
from lamella_adapters.sqlite.file import files, saved_count
from lamella_adapters.sqlite.file.connection import beside, connect, fetch, in_our_words

_LONG_BYTES = 16 << 20
"""A log is emptied when it has some 4 MB; no save or import writes so much at once that it grows to this."""
_CUT = "the log was cut or deleted, or an older copy of the file was put back"


def checks(subject: str, path: Path, *, noted: int, saved: int) -> Iterator[Check]:
    """What is wrong; `noted` is how much was saved before it was looked how much is `saved`."""
    if noted > saved:
        yield Check(
            fault(
                subject,
                f"{noted - saved} memories or messages are missing: {_CUT}",
                "take what is there for all there is",
            ),
            lambda: count_anew(path, saved),
        )
    with in_our_words():
        pending = _pending_bytes(path)
    if pending >= _LONG_BYTES:
        message = f"its log has grown to {pending >> 20} MB: a program reads an old state of it and does not stop"
        yield Check(Finding(subject=subject, severity=Severity.WARNING, message=message))


def count_anew(path: Path, count: int) -> str:
    """Forgets that more than `count` was ever saved; says so."""
    with in_our_words():
        saved_count.renew(path, count)
    return "What is there counts as all that was saved."


def _pending_bytes(path: Path) -> int:
    """How much of a long log cannot be moved into the file."""
    log = beside(path)[0]
    if not files.is_there(log) or log.stat().st_size < _LONG_BYTES or not os.access(path, os.W_OK):
        return 0
    with closing(connect(path, writable=True)) as connection:
        ((_, pages, emptied),) = fetch(connection, "PRAGMA wal_checkpoint(PASSIVE)")
        size: int = connection.execute("PRAGMA page_size").get
        return int(pages - emptied) * size

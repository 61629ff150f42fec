"""Access to a project's rows, and a count of its saves. Each transaction looks up the project's file anew.

A small file beside a project's file, called its note, has the number of all saves. It serves to detect losses. If
the write-ahead log is truncated or deleted, acknowledged memories are lost, although the file is sound. The same
happens if an older copy replaces the file. After such a loss, nothing is read or saved until the user runs
`doctor` to accept the loss.

The note is written after each save, and not synced. It survives if the process is killed. After a power loss, its
number may be too low, which is harmless.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partialmethod
from pathlib import Path
from typing import Any, NamedTuple

import apsw
from attrs import define

from lamella_adapters.process.calls import posix
from lamella_adapters.sqlite.file.connection import failure
from lamella_adapters.sqlite.file.folders import new_file
from lamella_adapters.sqlite.projects.project_file import ProjectFile
from lamella_adapters.sqlite.projects.registry import SqliteRegistry

_COUNT = "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence"
LAST_NUMBER = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'observation'"
_STATE = f"SELECT moved_to, ({_COUNT}) FROM project"  # noqa: S608 - made of our own constants
_DIGITS = 20
_PLAIN_FILE = posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
"""Options for opening the note: don't follow a link in its place, and don't wait for a pipe."""


class Opened(NamedTuple):
    """Transaction in the file that has the rows of a project.

    Attributes:
        project: Id of the file's own project.
        connection: Connection of the transaction.
        file: The file.
        cleared: Ids or keys of rows that were erased from files merged into this one. Empty unless the transaction
            erases.
    """

    project: str
    connection: apsw.Connection
    file: ProjectFile
    cleared: Collection[Any] = ()


@define(eq=False, repr=False, slots=False)
class Scope:
    """Memories of one project, in its own file or in the file that it was merged into.

    The file of a merged project names the target of the merge. Each transaction reads this name. So nothing is
    ever written into a file emptied by a merge, even if the file was opened long before.
    """

    file: ProjectFile
    registry: SqliteRegistry

    @contextmanager
    def _opened(self, *, writes: bool) -> Iterator[Opened]:
        file: ProjectFile | None = self.file
        while file is not None:
            here = file
            # Read the note before the transaction begins. In the opposite order, a concurrent save could look like
            # a loss.
            noted = noted_count(here.note)
            with here.database.writing() if writes else here.database.reading() as connection:
                moved_to, saved = connection.execute(_STATE).get
                if moved_to is None:
                    if saved < noted:
                        raise failure("older-copy", missing=missing(noted - saved))
                    yield Opened(here.id, connection, here)
                    _, saved = connection.execute(_STATE).get if writes else (None, saved)
            file = None if moved_to is None else self.registry.file_of(moved_to)
        if writes:
            # Ignore a failure: the next save writes the count again.
            with suppress(OSError):
                note_count(here.note, saved, unless=saved)

    reading = partialmethod(_opened, writes=False)
    """Open a read transaction on a snapshot."""

    writing = partialmethod(_opened, writes=True)
    """Open a write transaction. Commit durably at the end of the block; roll back on an exception."""


def count_saved(connection: apsw.Connection) -> int:
    """Return how many sequence numbers were ever used for memories, messages and audit entries in the file."""
    return int(connection.execute(_COUNT).get)


def reserve_missing(connection: apsw.Connection, noted: int) -> int:
    """Reserve the numbers of saves that the file lacks, and return how many it lacks.

    `noted` is the number of saves according to the note. Later saves don't use reserved numbers.
    """
    lacking = max(0, noted - count_saved(connection))
    if lacking:
        known: int = connection.execute(LAST_NUMBER).get
        connection.execute("DELETE FROM sqlite_sequence WHERE name = 'observation'")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('observation', ?)", (known + lacking,))
    return lacking


def noted_count(note: str) -> int:
    """Return the count of saves in the file `note`; 0 if the file is missing or unreadable."""
    try:
        descriptor = os.open(note, os.O_RDONLY | _PLAIN_FILE)
        try:
            return int(os.pread(descriptor, _DIGITS, 0))
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return 0


def note_count(note: str, count: int, *, unless: int | None = None) -> None:
    """Write the count of saves into the file `note`, unless its count is at least `unless`.

    Raises:
        OSError: The file can't be written.
    """
    if unless is not None and noted_count(note) >= unless:
        return
    try:
        descriptor = os.open(note, os.O_WRONLY | _PLAIN_FILE)
    except FileNotFoundError:
        with suppress(FileExistsError):
            new_file(Path(note))
        descriptor = os.open(note, os.O_WRONLY | _PLAIN_FILE)
    with os.fdopen(descriptor, "wb", 0) as file:
        file.write(b"%*d\n" % (_DIGITS, count))


def missing(count: int) -> str:
    """Return a phrase about missing memories and messages, and why they may be missing."""
    lost = "1 memory or message is" if count == 1 else f"{count} memories or messages are"
    return f"{lost} missing: the log was cut or deleted, or an older copy of the file was put back"

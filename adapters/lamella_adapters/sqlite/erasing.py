"""Erasing for good: the rows, every index of them, and the bytes they leave behind."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from uuid import UUID

import apsw
from attrs import define

from lamella.domain.errors import UnfinishedEraseError
from lamella.ports.storage import Change
from lamella_adapters.sqlite import files
from lamella_adapters.sqlite.connection import connect, fetch
from lamella_adapters.sqlite.contexts import refresh_followers
from lamella_adapters.sqlite.database import Database
from lamella_adapters.sqlite.scope import ProjectFile, Scope

_PATIENCE_SECONDS = 5.0
"""How long to wait for readers that keep the old pages alive."""


@define(eq=False)
class Eraser:
    """Erases observations from a project's file and from those that were merged into it.

    `merged_into` gives the files whose rows moved to a project: a merge that was broken off leaves copies there.
    """

    merged_into: Callable[[str], Iterable[ProjectFile]]

    def erase(self, scope: Scope, ids: Sequence[UUID]) -> tuple[Change, ...]:
        """See `ObservationStorage.erase`.

        Deleted pages are overwritten (`secure_delete`), the indexes rewritten (`optimize`), the log truncated.
        """
        with scope.writing() as opened:
            changes = tuple(_delete(opened.connection, id) for id in ids)
            touched = [opened.file.database]
            home = opened.project
        for file in self.merged_into(home):
            with file.database.writing() as connection:
                if Change.DONE in [_delete(connection, id) for id in ids]:
                    touched.append(file.database)
        if Change.DONE in changes:
            for database in touched:
                _scrub(database)
        return changes


def _delete(connection: apsw.Connection, id: UUID) -> Change:
    place = fetch(connection, "SELECT seq, session, moment FROM observation WHERE id = ?", (id.bytes,))
    for sequence, session, moment in place:
        connection.execute("DELETE FROM observation WHERE seq = ?", (sequence,))
        refresh_followers(connection, session, moment, sequence)
        connection.execute("INSERT INTO search (search) VALUES ('optimize')")
        connection.execute("INSERT INTO search_purged (search_purged) VALUES ('optimize')")
        return Change.DONE
    return Change.NOT_FOUND


def _scrub(database: Database) -> None:
    """Empties the log of the database and renews the backups, both of which still hold what was deleted."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    with database.alone() as connection:
        while fetch(connection, "PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
            if time.monotonic() > deadline:
                raise UnfinishedEraseError(
                    reason="The memories are erased, but another program still reads old pages of the database.",
                    advice="Close other sessions and erase again to overwrite their bytes.",
                )
            time.sleep(0.05)
    old = files.backups_of(database.path)
    if old:
        copy = files.back_up(database.path, label="erased")
        with closing(connect(copy, writable=False)) as check:
            if check.execute("PRAGMA integrity_check").get != "ok":
                raise UnfinishedEraseError(
                    reason="The memories are erased, but an older backup could not be replaced by a sound one.",
                    advice="Check the disk, then erase again, or run: lamella doctor",
                )
        for backup in old:
            backup.unlink()

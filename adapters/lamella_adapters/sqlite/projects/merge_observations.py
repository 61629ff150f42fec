"""Transfer of all memories from one project's file to another's, in repeatable batches."""

from collections.abc import Sequence

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.merge_messages import move_messages
from lamella_adapters.sqlite.tables.activity_rows import move_activity
from lamella_adapters.sqlite.tables.code_change_rows import copy_changes, move_captures
from lamella_adapters.sqlite.tables.context_column import refresh_around, refresh_followers
from lamella_adapters.sqlite.tables.merge_rows import LEAVING, of_origins
from lamella_adapters.sqlite.tables.observation_rows import ALL_COLUMNS, INSERT

_BATCH = 200
# Columns are our own constants.
_READ = f"SELECT seq, {', '.join(ALL_COLUMNS)} FROM observation WHERE {LEAVING} ORDER BY seq LIMIT {_BATCH}"  # noqa: S608 - made of our own constants
_PLACE = "SELECT session, moment, seq FROM observation WHERE seq = ? AND session IS NOT NULL"


def move_memories(source: Database, target: Database, *, origins: Sequence[str] | None = None) -> int:
    """Move all rows from `source` to `target`, or take back the rows of some `origins`.

    Each batch is written there and deleted here under the locks of both, which keep other processes from changing,
    erasing or adding rows on their way. A row may be in both files because an earlier run was interrupted between
    the two commits. Then the row stays that is in the file to which the merge mark leads: the target of a merge,
    the source of a split.

    Returns:
        The number of observations that moved.
    """
    move_messages(source, target, origins=origins)
    moved = 0
    asked = of_origins(origins)
    while True:
        with source.writing() as leaving, target.writing() as arriving:
            batch = fetch(leaving, _READ, asked)
            if not batch:
                move_captures(leaving, arriving, asked)
                move_activity(leaving, arriving, asked)
                return moved
            arrived = []
            for sequence, *values in batch:
                if origins is not None:
                    arriving.execute("DELETE FROM observation WHERE id = ?", values[:1])
                if not fetch(arriving, "SELECT 1 FROM observation WHERE id = ?", values[:1]):
                    arriving.execute(INSERT, dict(zip(ALL_COLUMNS, values, strict=True)))
                    arrived.append(arriving.last_insert_rowid())
                    copy_changes(leaving, arriving, sequence, arrived[-1])
            places = [place for sequence, *_ in batch for place in fetch(leaving, _PLACE, (sequence,))]
            leaving.executemany("DELETE FROM observation WHERE seq = ?", [(sequence,) for sequence, *_ in batch])
            # Bytes of them stay behind and are overwritten if they are erased later.
            leaving.executemany("INSERT OR IGNORE INTO departed VALUES (?)", [(id,) for _, id, *_ in batch])
            for place in places:
                refresh_followers(leaving, *place)
            for sequence in arrived:
                refresh_around(arriving, sequence)
            moved += len(batch)

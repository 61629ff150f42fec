"""Moving rows from one project's file to another's, so that it can be broken off anywhere and repeated."""

import json
from collections.abc import Sequence

from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.file.database import Database
from lamella_adapters.sqlite.projects.merge_messages import move_messages
from lamella_adapters.sqlite.tables.activity_rows import move_activity
from lamella_adapters.sqlite.tables.code_change_rows import move_captures, move_lines
from lamella_adapters.sqlite.tables.context_column import (
    refresh_around,
    refresh_followers,
)

_BATCH = 200
_COLUMNS = (
    "id, origin, session, kind, actor, source, title, title_key, indexed_title, heading, content, sub, context, "
    "created_at, updated_at, purged_at, moment, fingerprint, request"
)
# Columns are our own constants.
_READ = f"""
SELECT seq, {_COLUMNS} FROM observation
WHERE :origins IS NULL OR origin IN (SELECT value FROM json_each(:origins)) ORDER BY seq LIMIT {_BATCH}
"""  # noqa: S608 - made of our own constants
_WRITE = f"INSERT INTO observation ({_COLUMNS}) VALUES ({', '.join('?' * len(_COLUMNS.split(',')))})"  # noqa: S608 - made of our own constants
_READ_CHANGES = "SELECT place, path, additions, deletions, hunks, former FROM code_change WHERE seq = ?"
_WRITE_CHANGE = "INSERT INTO code_change VALUES (?, ?, ?, ?, ?, ?, ?)"
_PLACE = "SELECT session, moment, seq FROM observation WHERE seq = ? AND session IS NOT NULL"


def move(source: Database, target: Database, *, origins: Sequence[str] | None = None) -> int:
    """Moves all rows from `source` to `target`, or takes back those of some `origins`; how many.

    Each batch is written there and deleted here under the locks of both, so that nobody changes, erases or adds
    what is on its way. A row that both hold, because an earlier run was broken off between the two commits, is
    kept as it is in the file to which the mark leads: the target of a merge, the source of a split.
    """
    move_messages(source, target, origins=origins)
    moved = 0
    asked = {"origins": None if origins is None else json.dumps(origins)}
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
                    arriving.execute(_WRITE, values)
                    arrived.append(arriving.last_insert_rowid())
                    changes = fetch(leaving, _READ_CHANGES, (sequence,))
                    arriving.executemany(_WRITE_CHANGE, [(arrived[-1], *change) for change in changes])
                    move_lines(leaving, arriving, sequence, arrived[-1])
            places = [place for sequence, *_ in batch for place in fetch(leaving, _PLACE, (sequence,))]
            leaving.executemany("DELETE FROM observation WHERE seq = ?", [(sequence,) for sequence, *_ in batch])
            # Bytes of them stay behind, for whoever erases them later.
            leaving.executemany("INSERT OR IGNORE INTO departed VALUES (?)", [(id,) for _, id, *_ in batch])
            for place in places:
                refresh_followers(leaving, *place)
            for sequence in arrived:
                refresh_around(arriving, sequence)
            moved += len(batch)

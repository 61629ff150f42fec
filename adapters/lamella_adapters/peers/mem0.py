"""Memories of mem0: the history of their changes, or the JSON of its `get_all`.

What else it knows of a memory is in pickles, which are never read: unpickling runs code.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from attrs import define

from lamella.ports.peers import ForeignMemory, Peer, Skipped, Store
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.files import TOO_LONG, in_environment, located
from lamella_adapters.peers.json_records import first_of, records
from lamella_adapters.peers.values import BLANK, Record, memory, moment, text

PROGRAM = "mem0"

_FILE = "history.db"
_COLUMNS = ("memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "is_deleted")
_DELETE = "DELETE"
_FIRST = datetime.min.replace(tzinfo=UTC)
_REMARK = (
    "The history has texts and times only. To take over types and projects too, write what get_all() returns"
    " to a file as JSON, and import that instead."
)


def open_mem0(path: Path | None) -> Peer:
    """Return the memories of mem0 in a file or folder, or where it keeps its own."""
    return Mem0(path)


@define
class Mem0(Peer):
    """The memories of mem0."""

    path: Path | None

    def stores(self) -> tuple[Store, ...]:
        """Return its file."""
        folder = in_environment("MEM0_DIR") or Path.home() / ".mem0"
        return tuple(map(_store, located(PROGRAM, self.path, [folder / _FILE], [_FILE])))

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield each memory as its last change left it."""
        if sqlite_store.is_sqlite(store.place):
            with sqlite_store.opened(store.place) as tables:
                changes = tables.rows(
                    "history", _COLUMNS, needed=("memory_id", "new_memory", "event"), order="memory_id, rowid"
                )
                yield from _replayed(changes)
        else:
            yield from map(_memory, records(store.place, "results", "memories"))


def _store(place: Path) -> Store:
    if not sqlite_store.is_sqlite(place):
        return Store(place=place)
    records = sqlite_store.counted(place, lambda tables: tables.count("history"))
    return Store(place=place, records=records, remark=_REMARK)


def _replayed(changes: Iterator[Record | None]) -> Iterator[ForeignMemory | Skipped]:
    for id, group in groupby(changes, lambda row: None if row is None else text(row.get("memory_id"))):
        if id is None:
            yield from (TOO_LONG for _ in group)
        else:
            yield _last(id, [each for each in group if each is not None])


def _last(id: str, changes: Sequence[Record]) -> ForeignMemory | Skipped:
    """Return what a memory became by its changes, which are sorted by time."""
    in_time = sorted(changes, key=lambda row: _at(row) or _FIRST)
    texts = [
        said for row in in_time for said in (text(row.get("old_memory")), text(row.get("new_memory"))) if said
    ]
    if not texts:
        return BLANK
    last = in_time[-1]
    return memory(
        key=id,
        content=texts[-1],
        created_at=next(filter(None, (moment(row.get("created_at")) for row in in_time)), None) or _at(last),
        deleted=text(last.get("event")).upper() == _DELETE or last.get("is_deleted") == 1,
    )


def _at(row: Record) -> datetime | None:
    return moment(first_of(("updated_at", "created_at"), row))


def _memory(row: Record) -> ForeignMemory | Skipped:
    there: Any = row.get("metadata")
    metadata: Record = there if isinstance(there, dict) else {}
    return memory(
        key=text(row.get("id")),
        content=text(first_of(("memory", "text"), row)),
        project=text(first_of(("project", "repository", "repo"), metadata)),
        source=text(first_of(("type", "category", "memory_type"), metadata)),
        created_at=moment(row.get("created_at")),
        session=text(row.get("run_id")),
    )

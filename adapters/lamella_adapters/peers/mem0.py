"""Memories of mem0: the history of their changes, or the JSON of its `get_all`.

Mem0's other data is in pickles, which are never read because unpickling runs code.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from lamella.ports.peers import BLANK, ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import LocatedPeer, in_environment
from lamella_adapters.peers.json_records import first_of, records
from lamella_adapters.peers.sqlite_store import is_sqlite, opened, stores_of, tables_of
from lamella_adapters.peers.values import Record, made, memory, moment, text

PROGRAM = "mem0"

_FILE = "history.db"
_HISTORY = tables_of(PROGRAM)["history"]
_DELETE = "DELETE"
_FIRST = datetime.min.replace(tzinfo=UTC)
_REMARK = (
    "The history has texts and times only. To import types and projects too, write what get_all() returns"
    " to a file as JSON, and import that instead."
)


class Mem0(LocatedPeer):
    """The memories of mem0."""

    def stores(self) -> tuple[Store, ...]:
        """Return mem0's file: the given file, or the history at its default path."""
        folder = in_environment("MEM0_DIR") or Path.home() / ".mem0"
        return stores_of(PROGRAM, self.path, folder / _FILE, _HISTORY, remark=_REMARK)

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield each memory in its final state."""
        if is_sqlite(store.place):
            with opened(store.place) as tables:
                yield from _replayed(tables.rows(_HISTORY))
        else:
            yield from made(records(store.place, "results", "memories"), _memory)


def _replayed(changes: Iterator[Record | Skipped]) -> Iterator[ForeignMemory | Skipped]:
    skipped: list[Skipped] = []
    for id, group in groupby(_usable(changes, skipped), lambda row: text(row.get("memory_id"))):
        yield _last(id, list(group))
    yield from skipped


def _usable(changes: Iterator[Record | Skipped], skipped: list[Skipped]) -> Iterator[Record]:
    """Yield the readable rows, and collect the skipped ones, which would divide the changes of a memory."""
    for each in changes:
        if isinstance(each, Skipped):
            skipped.append(each)
        else:
            yield each


def _last(id: str, changes: Sequence[Record]) -> ForeignMemory | Skipped:
    """Return the final state of a memory after `changes`, which are sorted by time."""
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

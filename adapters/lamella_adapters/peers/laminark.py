"""Memories of Laminark: one SQLite file for all projects.

A project is a digest of the path of its directory. Times are text in UTC.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import define

from lamella.domain.call import AGENT, USER
from lamella.ports.peers import ForeignMemory, Peer, Skipped, Store
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.files import TOO_LONG, in_environment, located
from lamella_adapters.peers.values import Record, folder_name, memory, moment, text

PROGRAM = "laminark"

_FILE = "data.db"
_DIGITS = 16
_COLUMNS = ("id", "project_hash", "title", "content", "source", "kind", "session_id", "created_at", "deleted_at")
_BY_HAND = ("slash:remember", "manual")
_CAPTURED = Skipped("captured by hooks")


def open_laminark(path: Path | None) -> Peer:
    """Return the memories of Laminark in a file or folder, or where it keeps its own."""
    return Laminark(path)


@define
class Laminark(Peer):
    """The memories of Laminark."""

    path: Path | None

    def stores(self) -> tuple[Store, ...]:
        """Return its file."""
        folder = in_environment("LAMINARK_DATA_DIR") or Path.home() / ".claude/plugins/cache/laminark/data"
        return tuple(map(_store, located(PROGRAM, self.path, [folder / _FILE], [_FILE])))

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield what was saved, in that order; what its hooks captured is skipped."""
        with sqlite_store.opened(store.place) as tables:
            paths = _paths(tables)
            for row in tables.rows("observations", _COLUMNS, needed=("id", "project_hash", "content", "source")):
                yield TOO_LONG if row is None else _memory(row, paths)

    def name_of(self, directory: str) -> str:
        """Return the digest of the real path."""
        return hashlib.sha256(os.path.realpath(directory).encode(errors="surrogateescape")).hexdigest()[:_DIGITS]


def _store(place: Path) -> Store:
    return Store(place=place, records=sqlite_store.counted(place, lambda tables: tables.count("observations")))


def _paths(tables: sqlite_store.Tables) -> Mapping[str, str]:
    """Return the paths of projects by their digests."""
    names = ("project_hash", "project_path")
    rows = tables.rows("project_metadata", names, needed=())
    return {text(row.get("project_hash")): text(row.get("project_path")) for row in rows if row}


def _memory(row: Record, paths: Mapping[str, str]) -> ForeignMemory | Skipped:
    source = text(row.get("source"))
    if source.startswith("hook:"):
        return _CAPTURED
    project = text(row.get("project_hash"))
    directory = paths.get(project, "")
    return memory(
        key=text(row.get("id")),
        project=folder_name(directory) or project,
        directory=directory,
        title=text(row.get("title")),
        content=text(row.get("content")),
        source=text(row.get("kind")),
        actor=USER if source in _BY_HAND else AGENT,
        created_at=moment(row.get("created_at")),
        session=text(row.get("session_id")),
        deleted=row.get("deleted_at") is not None,
    )

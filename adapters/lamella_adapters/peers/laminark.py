"""Memories of Laminark: one SQLite file for all projects.

A project is a digest of the path of its directory. Times are text in UTC.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lamella.domain.call import AGENT, USER
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import LocatedPeer, in_environment
from lamella_adapters.peers.sqlite_store import opened, stores_of, tables_of
from lamella_adapters.peers.values import Record, folder_name, made, memory, moment, text

PROGRAM = "laminark"

_FILE = "data.db"
_DIGITS = 16
_TABLES = tables_of(PROGRAM)
_BY_HAND = ("slash:remember", "manual")
_CAPTURED = Skipped("captured by hooks")


class Laminark(LocatedPeer):
    """The memories of Laminark."""

    def stores(self) -> tuple[Store, ...]:
        """Return Laminark's file: the given file, or the database at its default path."""
        folder = in_environment("LAMINARK_DATA_DIR") or Path.home() / ".claude/plugins/cache/laminark/data"
        return stores_of(PROGRAM, self.path, folder / _FILE, _TABLES["observations"])

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield memories saved on request, in order of saving. Skip memories captured by Laminark's hooks."""
        with opened(store.place) as tables:
            known = [each for each in tables.rows(_TABLES["project_metadata"]) if not isinstance(each, Skipped)]
            paths = {text(each.get("project_hash")): text(each.get("project_path")) for each in known}
            yield from made(tables.rows(_TABLES["observations"]), lambda row: _memory(row, paths))

    def name_of(self, directory: str) -> str:
        """Return the digest that Laminark uses as the name of a directory's project."""
        return hashlib.sha256(os.path.realpath(directory).encode(errors="surrogateescape")).hexdigest()[:_DIGITS]


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

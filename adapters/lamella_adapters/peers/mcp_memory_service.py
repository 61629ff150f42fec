"""Memories of mcp-memory-service: its SQLite file, or its export in JSON.

Times are in seconds, tags text with commas. It knows no projects. The table of vectors is never touched.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define

from lamella.ports.peers import ForeignMemory, Peer, Skipped, Store
from lamella_adapters.peers import sqlite_store
from lamella_adapters.peers.files import TOO_LONG, in_environment, located
from lamella_adapters.peers.json_records import first_of, records
from lamella_adapters.peers.values import Record, memory, moment, text, texts, with_tags

PROGRAM = "mcp-memory-service"

_FILE = "sqlite_vec.db"
_COLUMNS = (
    "content_hash",
    "content",
    "tags",
    "memory_type",
    "created_at",
    "created_at_iso",
    "deleted_at",
    "superseded_by",
)
_UNTAGGED = "untagged"


def open_mcp_memory_service(path: Path | None) -> Peer:
    """Return the memories of mcp-memory-service in a file or folder, or where it keeps its own."""
    return McpMemoryService(path)


@define
class McpMemoryService(Peer):
    """The memories of mcp-memory-service."""

    path: Path | None

    def stores(self) -> tuple[Store, ...]:
        """Return its file."""
        return tuple(map(_store, located(PROGRAM, self.path, [_own_file()], [_FILE])))

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield memories in the order in which they were saved; those that others replaced count as deleted."""
        if sqlite_store.is_sqlite(store.place):
            with sqlite_store.opened(store.place) as tables:
                for row in tables.rows("memories", _COLUMNS, needed=("content_hash", "content")):
                    yield TOO_LONG if row is None else _memory(row)
        else:
            yield from map(_memory, records(store.place, "memories"))


def _own_file() -> Path:
    if file := in_environment("MCP_MEMORY_SQLITE_PATH"):
        return file
    if folder := in_environment("MCP_MEMORY_BASE_DIR"):
        return folder / _FILE
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/mcp-memory" / _FILE
    if sys.platform == "win32":
        return (in_environment("LOCALAPPDATA") or Path.home() / "AppData/Local") / "mcp-memory" / _FILE
    return Path.home() / ".local/share/mcp-memory" / _FILE


def _store(place: Path) -> Store:
    if not sqlite_store.is_sqlite(place):
        return Store(place=place)
    return Store(place=place, records=sqlite_store.counted(place, lambda tables: tables.count("memories")))


def _memory(row: Record) -> ForeignMemory | Skipped:
    return memory(
        key=text(row.get("content_hash")),
        content=with_tags(text(row.get("content")), _tags(row.get("tags"))),
        source=text(row.get("memory_type")),
        created_at=moment(first_of(("created_at", "created_at_iso"), row)),
        deleted=first_of(("deleted_at", "superseded_by"), row) is not None,
    )


def _tags(value: object) -> Sequence[str]:
    """Return tags; the export has a list of them."""
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = value.split(",")
    return [each for each in texts(value) if each != _UNTAGGED]

"""Memories of mcp-memory-service: its SQLite file, or its export in JSON.

Times are in seconds. Tags are a text with commas in the SQLite file, and a list in the export. The program has no
projects. Its table of vectors is not read.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from lamella.domain.exchange.foreign import with_tags
from lamella.ports.peers import ForeignMemory, Skipped, Store
from lamella_adapters.peers.files import LocatedPeer, in_environment
from lamella_adapters.peers.json_records import first_of
from lamella_adapters.peers.sqlite_store import reading, stores_of, tables_of
from lamella_adapters.peers.values import Record, made, memory, moment, no_texts, text, texts

PROGRAM = "mcp-memory-service"

_FILE = "sqlite_vec.db"
_MEMORIES = tables_of(PROGRAM)["memories"]
_UNTAGGED = "untagged"


class McpMemoryService(LocatedPeer):
    """The memories of mcp-memory-service."""

    def stores(self) -> tuple[Store, ...]:
        """Return the program's file: the given file, or the database at its default path."""
        return stores_of(PROGRAM, self.path, _own_file(), _MEMORIES, names=[_FILE])

    def read(self, store: Store) -> Iterator[ForeignMemory | Skipped]:
        """Yield memories in order of saving. A memory that was replaced by a newer memory counts as deleted."""
        with reading(store.place) as read:
            yield from made(read(_MEMORIES), _memory)


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


def _memory(row: Record) -> ForeignMemory | Skipped:
    tags = row.get("tags")
    # The database has tags as one text with commas between them, the export as a list.
    if isinstance(tags, str) and not tags.lstrip().startswith("["):
        tags = tags.split(",")
    return memory(
        key=text(row.get("content_hash")),
        content=with_tags(text(row.get("content")), [each for each in texts(tags) if each != _UNTAGGED]),
        no_texts=no_texts(tags),
        source=text(row.get("memory_type")),
        created_at=moment(first_of(("created_at", "created_at_iso"), row)),
        deleted=first_of(("deleted_at", "superseded_by"), row) is not None,
    )

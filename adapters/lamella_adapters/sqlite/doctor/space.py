"""Space used by each kind of content of a project."""

from collections import Counter
from collections.abc import Mapping

import apsw

from lamella.ports.storage.diagnosis import Space
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.maintenance.copies import copies
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.statements import statements

SQL = statements(__file__)


_TABLES = {
    "observation": Space.MEMORIES,
    "code_change": Space.EDITS,
    "changed_lines": Space.EDITS,
    "told_removal": Space.EDITS,
    "capture": Space.EDITS,
    "message": Space.CONVERSATIONS,
    "session_name": Space.CONVERSATIONS,
    "summary": Space.CONVERSATIONS,
    "transcript_position": Space.CONVERSATIONS,
    "vector": Space.VECTORS,
    "code_block": Space.VECTORS,
    "unembedded": Space.VECTORS,
}
_INDEXED = ("search_", "observation_", "code_change_", "message_", "sqlite_autoindex_", "activity_")


def space(registry: SqliteRegistry, project: str) -> Mapping[Space, int]:
    """See `StorageDiagnosis.space`."""
    found: Counter[Space] = Counter()
    home = registry.catalogue().home(registry.catalogue().known(project).id).id
    with registry.file_of(home).database.reading() as connection:
        for name, size in fetch(connection, SQL["pages"]):
            found[_kind(name)] += size
        found[Space.FREE] += connection.execute(SQL["free"]).get
        edits = _edits_among_memories(connection, found[Space.MEMORIES])
    found[Space.MEMORIES] -= edits
    found[Space.EDITS] += edits
    found[Space.BACKUPS] = sum(each.size for each in copies(registry) if each.project == home)
    return {each: found[each] for each in Space}


def _kind(name: str) -> Space:
    """Return the content of a table or index, by its name."""
    known = _TABLES.get(name)
    return known or (Space.INDEXES if name.startswith(_INDEXED) else Space.OTHER)


def _edits_among_memories(connection: apsw.Connection, size: int) -> int:
    """Return the share of captured edits in the table of memories, by the length of their texts."""
    ((edits, every),) = fetch(connection, SQL["texts"])
    return int(size * edits // max(1, every))

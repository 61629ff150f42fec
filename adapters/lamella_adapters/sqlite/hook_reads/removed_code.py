"""What was removed from a file, for a hook: it imports little."""

import apsw

from lamella.domain.hook_context import RemovedCode
from lamella.domain.memories.kind import Kind
from lamella_adapters.sqlite.ledger import queries
from lamella_adapters.sqlite.tables.short_ids import short_ids


def removals(connection: apsw.Connection, path: str, fingerprints: frozenset[int]) -> list[RemovedCode]:
    """See `CodeLedger.removals`."""
    return [
        RemovedCode(
            key=entry.id.hex(),
            at=entry.moment,
            kind=Kind(entry.kind),
            source=entry.source,
            session=entry.session,
            title=entry.title,
            path=entry.path,
            fingerprints=gone,
        )
        for entry, lines in queries.touched(connection, path, fingerprints)
        if (gone := fingerprints & lines.removed)
    ]


def short_id(connection: apsw.Connection, removal: RemovedCode) -> str:
    """The short id of the memory, which is looked up only where it is told."""
    (id,) = short_ids(connection, [bytes.fromhex(removal.key)])
    return id

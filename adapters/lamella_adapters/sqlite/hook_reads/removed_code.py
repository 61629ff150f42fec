"""Code that was removed from a file. Hooks use this module, so it imports little."""

import apsw

from lamella.domain.hook_context import RemovedCode
from lamella.domain.memories.kind import Kind
from lamella_adapters.sqlite.ledger.queries import touching


def find_removals(connection: apsw.Connection, path: str, fingerprints: frozenset[int]) -> list[RemovedCode]:
    """See `CodeLedger.removals`."""
    return [
        RemovedCode(
            key=entry.id.hex(),
            at=entry.occurred_at,
            kind=Kind(entry.kind),
            source=entry.source,
            session=entry.session,
            title=entry.title,
            path=entry.path,
            fingerprints=removed,
        )
        for entry, lines in touching(connection, path, fingerprints)
        if (removed := fingerprints & lines.removed)
    ]

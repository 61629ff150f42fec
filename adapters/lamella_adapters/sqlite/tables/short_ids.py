"""Short ids that are unique in their project. Hooks use this module, so it imports little."""

from collections.abc import Sequence

import apsw

from lamella.domain.memories.ids import shortest

# The ids before and after one in their order: no other id can have a longer prefix in common with it.
_BESIDE = """
SELECT (SELECT max(id) FROM observation WHERE id < :id), (SELECT min(id) FROM observation WHERE id > :id)
"""


def short_ids(connection: apsw.Connection, ids: Sequence[bytes]) -> tuple[str, ...]:
    """Return the shortest prefix of each id that no other id of the project begins with."""
    return tuple(shortest(id.hex(), [other.hex() for other in _beside(connection, id) if other]) for id in ids)


def _beside(connection: apsw.Connection, id: bytes) -> tuple[bytes | None, bytes | None]:
    beside: tuple[bytes | None, bytes | None] = connection.execute(_BESIDE, {"id": id}).get
    return beside

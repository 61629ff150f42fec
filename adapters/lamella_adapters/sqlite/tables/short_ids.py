"""Short ids that are unique in their project. Hooks use this module, so it imports little."""

from collections.abc import Sequence

import apsw

from lamella.domain.memories.ids import shortest

# The ids before and after one in their order: no others can share more of its beginning.
_BESIDE = """
SELECT (SELECT max(id) FROM observation WHERE id < :id), (SELECT min(id) FROM observation WHERE id > :id)
"""


def short_ids(connection: apsw.Connection, ids: Sequence[bytes]) -> tuple[str, ...]:
    """The beginning of each id that no other of the project has."""
    return tuple(shortest(id.hex(), [other.hex() for other in _beside(connection, id) if other]) for id in ids)


def _beside(connection: apsw.Connection, id: bytes) -> tuple[bytes | None, bytes | None]:
    beside: tuple[bytes | None, bytes | None] = connection.execute(_BESIDE, {"id": id}).get
    return beside

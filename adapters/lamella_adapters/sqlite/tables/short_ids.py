"""Short ids, unique in their project. Hooks use this module, so it imports little."""

from collections.abc import Sequence

import apsw

from lamella.domain.memories.ids import shortest

# Compare each id only with the ids directly before and after it in order. No other id has a longer prefix in
# common with it.
_BESIDE = """
SELECT lower(value), (SELECT lower(hex(max(id))) FROM observation WHERE id < unhex(value)),
  (SELECT lower(hex(min(id))) FROM observation WHERE id > unhex(value))
FROM json_each(?) ORDER BY key
"""


def short_ids(connection: apsw.Connection, ids: Sequence[bytes]) -> tuple[str, ...]:
    """Return the shortest prefix of each id that is unique in the project."""
    # Hooks don't import `json`.
    asked = "[" + ",".join(f'"{id.hex()}"' for id in ids) + "]"
    return tuple(shortest(id, beside) for id, *beside in connection.execute(_BESIDE, (asked,)))

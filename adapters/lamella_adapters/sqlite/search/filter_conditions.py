"""Filters of a query as conditions of SQL."""

import json

from lamella.domain.memories.query import Filters
from lamella_adapters.sqlite.tables import observation_rows

_CONDITIONS = {
    "since": " AND o.moment >= :since",
    "session": " AND o.session = :session",
    "path": """ AND EXISTS (SELECT 1 FROM code_change AS c WHERE c.seq = o.seq
      AND (:path = '.' OR c.path = :path OR (c.path >= :path || '/' AND c.path < :path || '0')
        OR c.path IN (SELECT value FROM json_each(:former))))""",
    "ids": " AND o.id IN (SELECT unhex(value) FROM json_each(:ids))",
}


def conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return further conditions on the row `o` of `observation`, each with a leading ` AND `, and their values."""
    values: dict[str, object] = {}
    if filters.since is not None:
        values["since"] = observation_rows.to_microseconds(filters.since)
    if filters.session is not None:
        values["session"] = filters.session
    if filters.path is not None:
        values |= {"path": filters.path, "former": json.dumps(filters.former)}
    if filters.ids is not None:
        values["ids"] = json.dumps([id.hex for id in filters.ids])
    return "".join(_CONDITIONS[name] for name in values if name in _CONDITIONS), values

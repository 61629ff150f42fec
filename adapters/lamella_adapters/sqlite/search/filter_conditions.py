"""Filters of a query as conditions of SQL."""

import json

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters
from lamella_adapters.sqlite.tables import observation_rows

ROOT = "."
"""The path matching every change."""

# Literals, because SQLite doesn't use the partial index of decisions for bound values.
_DECIDES = f" AND o.kind = '{Kind.NOTE.value}' AND o.source = '{DECISION}'"

_CONDITIONS = {
    "since": " AND o.moment >= :since",
    "until": " AND o.moment < :until",
    "session": " AND o.session = :session",
    "kind": " AND o.kind = :kind",
    "source": " AND o.source = :source",
    "author": " AND o.author = :author",
    "branch": " AND o.branch = :branch",
    # Purged rows have their own small index. `replaced_by` is set only for purged rows.
    "only_purged": " AND :only_purged AND o.seq IN (SELECT seq FROM observation WHERE purged_at IS NOT NULL)",
    "replaced_by": """ AND o.seq IN (
      SELECT seq FROM observation WHERE purged_at IS NOT NULL AND replaced_by = :replaced_by)""",
    "metadata": """ AND NOT EXISTS (
      SELECT key, value FROM json_each(:metadata) EXCEPT SELECT key, value FROM json_each(o.metadata))""",
    # A subquery is read once from the index of paths, not for each examined row.
    "path": """ AND o.seq IN (
      SELECT seq FROM code_change WHERE path = :path
      UNION ALL SELECT seq FROM code_change WHERE path >= :path || '/' AND path < :path || '0'
      UNION ALL SELECT seq FROM code_change WHERE path IN (SELECT value FROM json_each(:former)))""",
    "any_path": " AND :any_path AND EXISTS (SELECT 1 FROM code_change AS c WHERE c.seq = o.seq)",
    "ids": " AND o.id IN (SELECT unhex(value) FROM json_each(:ids))",
}


def conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return further conditions on the row `o` of `observation`, each with a leading ` AND `, and their values."""
    decides = (filters.kind, filters.source) == (Kind.NOTE, DECISION)
    given = {
        "since": filters.since and observation_rows.to_microseconds(filters.since),
        "until": filters.until and observation_rows.to_microseconds(filters.until),
        "session": filters.session,
        "kind": None if decides else filters.kind,
        "source": None if decides else filters.source,
        "author": filters.author,
        "branch": filters.branch,
        "only_purged": filters.only_purged or None,
        "replaced_by": filters.replaced_by and filters.replaced_by.bytes,
        "metadata": json.dumps(filters.metadata) if filters.metadata else None,
    }
    values: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if filters.path == ROOT:
        values["any_path"] = True
    elif filters.path is not None:
        values |= {"path": filters.path, "former": json.dumps(filters.former)}
    if filters.ids is not None:
        values["ids"] = json.dumps([id.hex for id in filters.ids])
    chosen = "".join(_CONDITIONS[name] for name in values if name in _CONDITIONS)
    return f"{_DECIDES if decides else ''}{chosen}", values

"""Translation of a query's filters into SQL conditions."""

from psycopg.types.json import Jsonb

from lamella.domain.memories.query import Filters
from lamella_adapters.postgresql.database.columns import maybe_microseconds, storable
from lamella_adapters.postgresql.tables.observation_rows import PATH_KEY_CHARACTERS

ROOT = "."
"""Path of the repository's root. It matches any observation with changes."""

_CONDITIONS = {
    "since": "o.moment >= %(since)s",
    "until": "o.moment < %(until)s",
    "session": "o.session = %(session)s",
    "kind": "o.kind = %(kind)s",
    "source": "o.source = %(source)s",
    "author": "o.author = %(author)s",
    "branch": "o.branch = %(branch)s",
    "only_purged": "o.purged_at IS NOT NULL AND %(only_purged)s",
    "replaced_by": "o.replaced_by = %(replaced_by)s::uuid",
    "metadata": "o.metadata @> %(metadata)s",
    "ids": "o.id = ANY(%(ids)s::uuid[])",
    "any_path": "jsonb_array_length(o.changes) > 0 AND %(any_path)s",
    "path": """o.seq IN (
      SELECT c.seq FROM code_change AS c WHERE c.project = here()
        AND c.path_key = ANY(%(path_keys)s::text[]) AND c.path = ANY(%(paths)s::text[])
      UNION ALL SELECT c.seq FROM code_change AS c WHERE c.project = here()
        AND c.path_key BETWEEN %(below_key)s AND %(below_key)s || U&'\\+10FFFF'
        AND starts_with(c.path, %(path)s))""",
}


def conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return conditions on the row `o` of `observation`, each with a leading ` AND `, and their values."""
    given: dict[str, object | None] = {
        "since": maybe_microseconds(filters.since),
        "until": maybe_microseconds(filters.until),
        "session": filters.session,
        "kind": filters.kind and filters.kind.value,
        "source": filters.source,
        "author": filters.author,
        "branch": filters.branch,
        "only_purged": filters.only_purged or None,
        "replaced_by": filters.replaced_by,
        "metadata": Jsonb(filters.metadata) if filters.metadata else None,
        "ids": None if filters.ids is None else list(filters.ids),
    }
    if filters.path == ROOT:
        given["any_path"] = True
    elif filters.path is not None:
        paths, below = [filters.path, *filters.former], f"{filters.path}/"
        given |= {"path": below, "paths": paths, "below_key": below[:PATH_KEY_CHARACTERS]}
        given["path_keys"] = [path[:PATH_KEY_CHARACTERS] for path in paths]
    values = {name: value for name, value in given.items() if value is not None}
    texts = [value for value in values.values() if isinstance(value, str)]
    if not all(map(storable, [*texts, *filters.former])):
        return " AND false", {}
    return "".join(f" AND {_CONDITIONS[name]}" for name in values if name in _CONDITIONS), values

"""Translation of a query's filters into SQL conditions."""

from psycopg.types.json import Jsonb

from lamella.domain.memories.query import Filters
from lamella_adapters.postgresql.database.columns import maybe_microseconds, storable
from lamella_adapters.postgresql.tables.observation_rows import PATH_KEY_CHARACTERS
from lamella_adapters.statements import statements

ROOT = "."
"""Path of the repository's root. It matches any observation with changes."""

SQL = statements(__file__)


def conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return conditions on the row `o` of `observation`, each with a leading ` AND `, and placeholder values."""
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
    return "".join(SQL[name] for name in values if name in SQL), values

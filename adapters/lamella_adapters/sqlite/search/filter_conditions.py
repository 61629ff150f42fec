"""Translation of a query's filters into SQL conditions."""

import json

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Filters
from lamella_adapters.sqlite.tables import observation_rows
from lamella_adapters.statements import statements

ROOT = "."
"""Path of the repository's root. As a filter, it matches any observation with changes."""

SQL = statements(__file__)


def conditions(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return SQL conditions on the row `o` of `observation`, and the values of their placeholders.

    Each condition begins with ` AND `.
    """
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
    chosen = [*(["decides"] if decides else []), *(name for name in values if name in SQL)]
    return "".join(SQL[name] for name in chosen), values

"""Filters, for storages that compare in Python."""

from datetime import datetime

from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters

_EQUAL = ("session", "kind", "source", "author", "branch", "replaced_by")


def is_within(at: datetime, filters: Filters) -> bool:
    """Return True if a time is in the period of the filters."""
    return (filters.since is None or at >= filters.since) and (filters.until is None or at < filters.until)


def passes(observation: Observation, filters: Filters) -> bool:
    """Return True if an observation meets all conditions of filters made by `Filters.completed`."""
    return (
        is_within(observation.occurred_at, filters)
        and (filters.ids is None or observation.id in filters.ids)
        and all(getattr(filters, name) in (None, getattr(observation, name)) for name in _EQUAL)
        and filters.metadata.items() <= observation.metadata.items()
        and (observation.purged or not filters.only_purged)
        and (filters.path is None or any(is_about(change.path, filters) for change in observation.changes))
    )


def is_about(path: str, filters: Filters) -> bool:
    """Return True if a path is the filters' path, is below that path, or is one of the filters' former names."""
    return filters.path in (".", path) or path.startswith(f"{filters.path}/") or path in filters.former

"""Session neighbours of observations, read before a change, to find out which documents need reindexing."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing

LAST = 2**63 - 1
"""Sequence number of a new observation in comparisons: after all others."""


def reindexed(
    near: Mapping[UUID, Observation], changed: Iterable[UUID]
) -> Mapping[UUID, Sequence[tuple[str, str]]]:
    """Return the ids of observations to reindex, each with the titles and contents before it, nearest first.

    Args:
        near: The changed observations and their neighbours, after the change.
        changed: Ids of the changed observations. Their followers in the session are reindexed too.
    """

    def in_session(said: Observation) -> list[Observation]:
        same = (each for each in near.values() if each.session == said.session is not None and not each.purged)
        return sorted(same, key=_place)

    anew = {id: near[id] for id in changed}
    for said in list(anew.values()):
        later = (each for each in in_session(said) if _place(each) > _place(said))
        for each in islice(later, indexing.CONTEXT_OBSERVATIONS):
            if indexing.needs_context(each.content):
                anew.setdefault(each.id, each)
    before: dict[UUID, list[tuple[str, str]]] = {}
    for id, said in anew.items():
        earlier = [each for each in in_session(said) if _place(each) < _place(said)]
        nearest = reversed(earlier[-indexing.CONTEXT_OBSERVATIONS :])
        before[id] = [(each.title, each.content) for each in nearest]
    return before


def _place(said: Observation) -> tuple[datetime, int]:
    return said.occurred_at, said.sequence

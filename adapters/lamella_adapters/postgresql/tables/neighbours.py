"""Neighbours of observations in their sessions, read before a change to know what it leaves to index."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from uuid import UUID

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing
from lamella_adapters.postgresql.tables import observation_rows

# Statements are put together from our own constants; values are always bound.
_BESIDE = """
SELECT {columns} FROM {table} AS a CROSS JOIN LATERAL (
  SELECT * FROM observation AS o
  WHERE o.project = here() AND o.session = a.session AND o.purged_at IS NULL
    AND o.id <> ALL(ARRAY(SELECT id FROM asked)) AND (o.moment, o.seq) {after} (a.moment, a.seq)
  ORDER BY o.moment {order}, o.seq {order} LIMIT %(count)s
) AS o
"""
NEIGHBOURS = f"""
WITH asked AS (
  SELECT id, seq, session, moment FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
  UNION SELECT o.id, o.seq, o.session, o.moment
  FROM unnest(%(firsts)s::uuid[], %(lasts)s::uuid[]) AS a (first, last)
  CROSS JOIN LATERAL ({observation_rows.BETWEEN}) AS o
), changing AS (
  SELECT seq, session, moment FROM asked
  UNION {_BESIDE.format(columns="o.seq, o.session, o.moment", table="asked", after=">", order="ASC")}
  UNION SELECT %(last)s::bigint, %(session)s::text, %(last)s::bigint
)
SELECT {observation_rows.COLUMNS.replace("o.changes", "'[]'::jsonb")}, o.sub FROM observation AS o
WHERE o.project = here() AND o.seq IN (
  SELECT seq FROM changing
  UNION {_BESIDE.format(columns="o.seq", table="changing", after="<", order="DESC")})
"""  # noqa: S608 - see above
"""Some observations, their live followers, and the contexts of all of these and of a new one."""

LAST = 2**63 - 1
"""Place of a new observation: after all others."""


def reindexed(
    near: Mapping[UUID, Observation], changed: Iterable[UUID]
) -> Mapping[UUID, Sequence[tuple[str, str]]]:
    """Return the titles and contents before each observation to reindex, nearest first, by id.

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

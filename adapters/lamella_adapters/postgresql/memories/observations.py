"""Observations of one project."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.query import Hit, Match
from lamella.ports.storage.observations import ObservationStorage
from lamella_adapters.postgresql.memories.arrivals import arrivals
from lamella_adapters.postgresql.tables import observation_rows
from lamella_adapters.postgresql.tables.erased_rows import ALL_MARKS
from lamella_adapters.postgresql.transaction import InTransactions

_BEGINNING = f"""
SELECT {observation_rows.COLUMNS}, {observation_rows.BESIDE}, a.prefix
FROM unnest(%(prefixes)s::text[], %(firsts)s::uuid[], %(lasts)s::uuid[]) AS a (prefix, first, last)
CROSS JOIN LATERAL (
  SELECT * FROM observation AS o WHERE o.project = here() AND o.id BETWEEN a.first AND a.last
  ORDER BY o.id LIMIT %(limit)s
) AS o ORDER BY o.id
"""  # noqa: S608 - our own constants
_LATER = "o.seq > %(after)s ORDER BY o.seq LIMIT %(limit)s"


@define(eq=False)
class PostgresObservations(InTransactions, ObservationStorage):
    """The memories of one project."""

    def starting_with(self, prefixes: Sequence[str], *, limit: int) -> Mapping[str, tuple[Hit, ...]]:
        """See `ObservationStorage.starting_with`."""
        asked = list(dict.fromkeys(prefixes))
        firsts, lasts = ([UUID(prefix.ljust(32, digit)) for prefix in asked] for digit in "0f")
        hits: dict[str, list[Hit]] = {prefix: [] for prefix in asked}
        with self.scope.reading() as turn:
            rows = turn.rows(_BEGINNING, prefixes=asked, firsts=firsts, lasts=lasts, limit=limit, last=True)
            for row in rows:
                hits[row[-1]].append(observation_rows.hit(turn.project, row, Match.ID))
        return {prefix: tuple(found) for prefix, found in hits.items()}

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.scope.reading() as turn:
            return tuple(each for each, _ in arrivals(turn, _LATER, {"after": after, "limit": limit}))

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.scope.reading() as turn:
            return frozenset(mark for (mark,) in turn.rows(ALL_MARKS, last=True))

"""Observations of one project."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from attrs import define

from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.text.marks import memory_mark
from lamella.ports.storage.observations import ObservationStorage, StatusChange
from lamella_adapters.postgresql.memories.arrivals import arrivals
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.audit_rows import forget, write_count
from lamella_adapters.postgresql.tables.contexts import AFFECTED, BOUNDS, refresh
from lamella_adapters.postgresql.tables.erased_marks import ALL_MARKS, REMEMBER_ERASED
from lamella_adapters.postgresql.transaction import InTransactions

_THESE = f"""
SELECT {observation_rows.COLUMNS} FROM observation AS o WHERE o.project = here() AND o.id = ANY(%(ids)s::uuid[])
"""  # noqa: S608 - our own constants
_BEGINNING = f"""
SELECT {observation_rows.COLUMNS}, {observation_rows.BESIDE}, a.prefix
FROM unnest(%(prefixes)s::text[], %(firsts)s::uuid[], %(lasts)s::uuid[]) AS a (prefix, first, last)
CROSS JOIN LATERAL (
  SELECT * FROM observation AS o WHERE o.project = here() AND o.id BETWEEN a.first AND a.last
  ORDER BY o.id LIMIT %(limit)s
) AS o ORDER BY o.id
"""  # noqa: S608 - our own constants
_STATE = """
SELECT id, seq, purged_at IS NOT NULL FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
"""
_LATER = "o.seq > %(after)s ORDER BY o.seq LIMIT %(limit)s"
_UNLINK = """
UPDATE observation SET replaced_by = NULL WHERE project = here() AND replaced_by = ANY(%(ids)s::uuid[])
"""
_ERASED_FROM = ("observation", "code_change", "told_removal", "vector")


@define(eq=False)
class PostgresObservations(InTransactions, ObservationStorage):
    """The memories of one project."""

    def get_all(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """See `ObservationStorage.get_all`."""
        with self.scope.reading() as turn:
            found = observation_rows.observations(turn, turn.rows(_THESE, ids=list(ids), last=True))
        there = {each.id: each for each in found}
        return {id: there[id] for id in ids if id in there}

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

    def erase(self, ids: Sequence[UUID], *, by: Signature) -> tuple[StatusChange, ...]:
        """See `ObservationStorage.erase`."""
        asked = {"ids": list(ids)}
        with self.scope.writing() as turn:
            state, affected = turn.answers((_STATE, asked), (AFFECTED, {**asked, **BOUNDS}))
            there = {id: sequence for id, sequence, _ in state}
            seqs = list(there.values())
            index.remove(turn, seqs)
            for table in _ERASED_FROM:
                turn.run(
                    f"DELETE FROM {table} WHERE project = here() AND seq = ANY(%(seqs)s::bigint[])",  # noqa: S608 - our own constants
                    seqs=seqs,
                )
            turn.run(_UNLINK, **asked)
            forget(turn, ids)
            turn.run(REMEMBER_ERASED, marks=list(map(memory_mark, there)))
            refresh(turn, seqs=[sequence for (sequence,) in affected])
            write_count(turn, Action.ERASE, by, count=len(there))
        return tuple(StatusChange.DONE if there.pop(id, None) else StatusChange.NOT_FOUND for id in ids)

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.scope.reading() as turn:
            return tuple(each for each, _ in arrivals(turn, _LATER, {"after": after, "limit": limit}))

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.scope.reading() as turn:
            return frozenset(mark for (mark,) in turn.rows(ALL_MARKS, last=True))

"""Transaction on one project: facts for a decision in one round trip, the writes of its plan in another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.memories.observation import Observation
from lamella.domain.search import indexing
from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella.domain.transactions.plan import AddEntry, Insert, Plan, SetStatus, Write
from lamella.ports.storage.transaction import Transaction, Transactional
from lamella_adapters.postgresql.activity.entries import add_entry
from lamella_adapters.postgresql.database.columns import maybe_microseconds, maybe_time, to_microseconds
from lamella_adapters.postgresql.database.scope import Scope
from lamella_adapters.postgresql.database.turn import Turn
from lamella_adapters.postgresql.tables import index, observation_rows
from lamella_adapters.postgresql.tables.contexts import document

# Every statement is put together from constants of our modules; values are always bound.
_PROJECT = """
SELECT p.sequence, (SELECT max(moment) FROM observation WHERE project = here()),
  (SELECT max(at) FROM audit WHERE project = here())
FROM project AS p WHERE p.number = here()
"""
_STATUSES = """
SELECT id, purged_at IS NOT NULL, replaced_by FROM observation
WHERE project = here() AND id = ANY(%(ids)s::uuid[])
"""
_SAME = f"""
SELECT {observation_rows.COLUMNS}, o.request FROM observation AS o
WHERE o.project = here() AND o.fingerprint = %(fingerprint)s ORDER BY o.seq
"""  # noqa: S608 - see above
_BESIDE = """
SELECT {columns} FROM {table} AS a CROSS JOIN LATERAL (
  SELECT * FROM observation AS o
  WHERE o.project = here() AND o.session = a.session AND o.purged_at IS NULL AND o.id <> ALL(%(ids)s::uuid[])
    AND (o.moment, o.seq) {after} (a.moment, a.seq)
  ORDER BY o.moment {order}, o.seq {order} LIMIT %(count)s
) AS o
"""
_NEIGHBOURS = f"""
WITH asked AS (
  SELECT seq, session, moment FROM observation WHERE project = here() AND id = ANY(%(ids)s::uuid[])
), changing AS (
  SELECT * FROM asked
  UNION {_BESIDE.format(columns="o.seq, o.session, o.moment", table="asked", after=">", order="ASC")}
  UNION SELECT %(last)s::bigint, %(session)s::text, %(last)s::bigint
)
SELECT {observation_rows.COLUMNS.replace("o.changes", "'[]'::jsonb")}, o.sub FROM observation AS o
WHERE o.project = here() AND o.seq IN (
  SELECT seq FROM changing
  UNION {_BESIDE.format(columns="o.seq", table="changing", after="<", order="DESC")})
"""  # noqa: S608 - see above
"""Some observations, their live followers, and the contexts of all of these and of a new one."""

_LAST = 2**63 - 1
"""Place of a new observation: after all others."""

_RAISE_SEQUENCE = "UPDATE project SET sequence = %(sequence)s WHERE number = here()"
_SET_STATUS = """
UPDATE observation SET purged_at = %(purged_at)s, updated_at = %(at)s, replaced_by = %(replaced_by)s
WHERE project = here() AND id = ANY(%(ids)s::uuid[])
"""


@define(eq=False)
class PostgresTransaction(Transaction):
    """Transaction that changes a project.

    Attributes:
        turn: Statements on their way.
        near: Observations that the plan may change, and those in their contexts, as they will be.
        subs: Hidden forms of these, by id.
    """

    turn: Turn
    near: dict[UUID, Observation] = field(factory=dict)
    subs: dict[UUID, str] = field(factory=dict)

    def look(self, look: Look) -> Facts:
        """See `Transaction.look`."""
        ids = list(look.ids)
        near = {"ids": ids, "session": look.session, "last": _LAST, "count": indexing.CONTEXT_OBSERVATIONS}
        project, statuses, neighbours, same = self.turn.answers(
            (_PROJECT, {}),
            (_STATUSES, {"ids": ids}),
            (_NEIGHBOURS, near),
            (_SAME, {"fingerprint": look.fingerprint}),
        )
        for row in neighbours:
            said = observation_rows.observation(self.turn.project, row)
            self.near[said.id], self.subs[said.id] = said, row[-1]
        ((sequence, latest, logged),) = project
        return Facts(
            project=self.turn.project,
            sequence=sequence,
            latest=maybe_time(latest),
            logged=maybe_time(logged),
            statuses={id: Status(purged, replaced_by) for id, purged, replaced_by in statuses},
            same=tuple(Same(observation_rows.observation(self.turn.project, row), row[-1]) for row in same),
        )

    def apply(self, plan: Plan) -> None:
        """See `Transaction.apply`."""
        stored = set(self.near)
        changed = dict.fromkeys(id for write in plan for id in self._write(write))
        anew = _reindexed(self.near, changed)
        index.remove(self.turn, [self.near[id].sequence for id in anew if id in stored])
        index.add(self.turn, [document(self.near[id], self.subs[id], before) for id, before in anew.items()])

    def _write(self, write: Write) -> Sequence[UUID]:
        """Run a write. Return the ids of the observations that it changes."""
        match write:
            case Insert(observation=said):
                self.near[said.id], self.subs[said.id] = said, observation_rows.sub_of(said)
                self.turn.run(_RAISE_SEQUENCE, sequence=said.sequence)
                observation_rows.insert(
                    self.turn,
                    said,
                    fingerprint=write.fingerprint,
                    request=write.request,
                    sub=self.subs[said.id],
                )
                return [said.id]
            case SetStatus():
                purged_at = write.at if write.purged else None
                for id in write.ids:
                    self.near[id] = evolve(self.near[id], purged_at=purged_at, updated_at=write.at)
                self.turn.run(
                    _SET_STATUS,
                    ids=list(write.ids),
                    purged_at=maybe_microseconds(purged_at),
                    at=to_microseconds(write.at),
                    replaced_by=write.replaced_by,
                )
                return write.ids
            case AddEntry():
                add_entry(self.turn, write.entry)
                return ()


def _reindexed(
    near: Mapping[UUID, Observation], changed: Iterable[UUID]
) -> Mapping[UUID, Sequence[tuple[str, str]]]:
    """Return what is indexed anew by id, each with the titles and contents before it, nearest first.

    Args:
        near: Observations as they are now.
        changed: Ids of those that changed. The context of those that follow them in their sessions may have.
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


@define(eq=False)
class InTransactions(Transactional):
    """Part of a project that changes in transactions."""

    scope: Scope

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """See `Transactional.writing`."""
        with self.scope.writing() as turn:
            yield PostgresTransaction(turn)

"""The observations of one project, in a dictionary."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest
from threading import RLock
from typing import Protocol
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.exchange.arrival import Arrival, dropped
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS, short_id
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, Match
from lamella.domain.projects.project import Project
from lamella.domain.search import indexing
from lamella.domain.transactions.look import SIMILAR, Facts, Look
from lamella.domain.transactions.plan import Plan
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.transaction import T, Transactional
from lamella_adapters.fts5 import bm25
from lamella_adapters.memory.project_data import ProjectData, Row
from lamella_adapters.memory.transaction import InMemoryTransaction


class Home(Protocol):
    """Finder of a project's present data. After a merge, another project has this data."""

    @property
    def lock(self) -> RLock:
        """Lock to hold while reading or writing data."""

    @property
    def projects(self) -> Mapping[str, Project]:
        """All projects, keyed by id."""

    @property
    def data_of(self) -> Mapping[str, ProjectData]:
        """Data of all projects, keyed by project id."""

    def admit(self, plan: Plan) -> None:
        """Count the memories of a plan against the tenant's quota. Raise an error if the quota is used up."""

    def home(self, project: str) -> tuple[str, ProjectData]:
        """Return the id and the data of the project that has the memories of `project`.

        This is the target of a merge, or `project` itself.
        """


@define(eq=False)
class InMemoryObservations(ObservationStorage):
    """Memories of one project. After a merge, these are the memories of the target project."""

    project: str
    storage: Home
    transactions: Callable[[str, ProjectData, Mapping[str, ProjectData]], InMemoryTransaction] = field(
        default=InMemoryTransaction, kw_only=True
    )

    @property
    def lock(self) -> RLock:
        """Lock to hold while several reads must see the same rows."""
        return self.storage.lock

    @property
    def data(self) -> ProjectData:
        """Present data of the project."""
        return self.storage.home(self.project)[1]

    @property
    def rows(self) -> dict[UUID, Row]:
        """Current rows of the project, keyed by observation id."""
        return self.data.rows

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        with self.lock:
            return self._facts(self._transaction(), look)

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """See `Transactional.transact`."""
        with self.lock:
            transaction = self._transaction()
            plan, outcome = decide(self._facts(transaction, look))
            self.storage.admit(plan)
            transaction.apply(plan)
        return outcome

    def _facts(self, transaction: InMemoryTransaction, look: Look) -> Facts:
        return evolve(
            transaction.look(look),
            starting={
                prefix: tuple(
                    self.hits([self.rows[id].observation for id in self.ids(prefix, look.each)], Match.ID)
                )
                for prefix in look.prefixes
            },
            similar=self._similar(look.similar) if look.similar else {},
            off_since=self.storage.projects[transaction.project].off_since if look.off else None,
        )

    def _similar(self, words: Sequence[str]) -> Mapping[UUID, str]:
        first, *others = (token for word in words for token in bm25.tokens(word)[:1])
        held = {
            row.observation.id: {*bm25.tokens(f"{row.observation.title} {row.observation.content}")}
            for row in self.rows.values()
            if row.observation.kind is Kind.NOTE and not row.observation.purged
        }
        found = [id for id, tokens in held.items() if first in tokens and not tokens.isdisjoint(others)]
        return {id: self.rows[id].observation.content for id in found[-SIMILAR:]}

    def _transaction(self) -> InMemoryTransaction:
        return self.transactions(*self.storage.home(self.project), self.storage.data_of)

    def ids(self, prefix: str, limit: int) -> Sequence[UUID]:
        """Return the first `limit` ids that begin with `prefix`, in order."""
        return sorted(id for id in self.rows if id.hex.startswith(prefix))[:limit]

    def short_ids(self, ids: Iterable[UUID]) -> Mapping[UUID, str]:
        """Return the short ids of `ids`, keyed by id."""
        alike: dict[str, list[UUID]] = {}
        for id in self.rows:
            alike.setdefault(id.hex[:SHORT_ID_CHARACTERS], []).append(id)
        return {id: short_id(id, alike.get(id.hex[:SHORT_ID_CHARACTERS], ())) for id in ids}

    def hits(self, observations: Sequence[Observation], match: Match) -> list[Hit]:
        """Return observations as hits with their short ids."""
        short_ids = self.short_ids(each.id for each in observations)
        return [Hit(observation=each, short_id=short_ids[each.id], match=match) for each in observations]

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`."""
        with self.lock:
            later = [row for row in self.rows.values() if row.observation.sequence > after]
            later.sort(key=lambda row: row.observation.sequence)
            return tuple(map(arrival, later[:limit]))

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        with self.lock:
            return frozenset(self.data.archive.marks)

    def in_order(self) -> list[Observation]:
        """Return all observations, ordered by time and then by sequence number."""
        with self.lock:
            return sorted((row.observation for row in self.rows.values()), key=_age)

    def indexed(self, observation: Observation) -> indexing.IndexedText:
        """Return the present indexed text of `observation`. A purged observation has no context."""
        return indexing.indexed_text(observation, () if observation.purged else self._before(observation))

    def _before(self, observation: Observation) -> Iterator[Observation]:
        with self.lock:
            earlier = (
                other
                for row in self.rows.values()
                if (other := row.observation).session == observation.session is not None
                and not other.purged
                and _age(other) < _age(observation)
            )
            # Yield lazily, because only some texts need their context.
            yield from nlargest(indexing.CONTEXT_OBSERVATIONS, earlier, key=_age)


@define(eq=False)
class Beside(Transactional):
    """Base of a project's parts other than its memories, such as its ledger.

    All parts change in the same transactions as the memories.
    """

    observations: InMemoryObservations

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        return self.observations.look(look)

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """See `Transactional.transact`."""
        return self.observations.transact(look, decide)


def arrival(row: Row) -> Arrival:
    """Return a row in exported form."""
    lines = dropped(row.observation, dict(enumerate(row.lines or ())))
    return Arrival(observation=row.observation, request=row.request, lines=lines)


def _age(observation: Observation) -> tuple[datetime, int]:
    return observation.occurred_at, observation.sequence

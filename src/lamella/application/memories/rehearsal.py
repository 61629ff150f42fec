"""Observations of a project for a dry run."""

from collections.abc import Callable
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.observation import Observation
from lamella.domain.transactions.look import Facts, Look, Status
from lamella.domain.transactions.other_writes import Amend, RememberErased, RememberRequest
from lamella.domain.transactions.plan import Insert, Plan, SetStatus
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.transaction import T


@define(eq=False)
class Rehearsal(ObservationStorage):
    """Observations whose changes stay in memory, so that a dry run decides like the real run.

    Only reads by imports see these changes. Other reads, such as a lookup by prefix, see stored observations.

    Attributes:
        stored: The stored observations; None for a project that doesn't exist yet.
    """

    stored: ObservationStorage | None
    _now: dict[UUID, Observation] = field(factory=dict)
    """New and changed observations."""
    _new: list[UUID] = field(factory=list)
    _marks: set[bytes] = field(factory=set)
    _requests: set[str] = field(factory=set)

    def look(self, look: Look) -> Facts:
        """See `Transactional.look`."""
        facts = Facts(project="", sequence=0) if self.stored is None else self.stored.look(look)
        now = {id: self._now[id] for id in (*look.ids, *look.observations) if id in self._now}
        statuses = {id: Status.of(each) for id, each in now.items()}
        return evolve(
            facts,
            sequence=facts.sequence + len(self._new),
            statuses={**facts.statuses, **statuses},
            observations={**facts.observations, **now},
            erased=facts.erased | self._marks.intersection(look.marks),
            recorded=facts.recorded | self._requests.intersection(look.requests),
        )

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        """See `Transactional.transact`."""
        plan, outcome = decide(self.look(look))
        for write in plan:
            if isinstance(write, Insert | Amend):
                self._now[write.observation.id] = write.observation
                self._new += [write.observation.id] * isinstance(write, Insert)
            elif isinstance(write, SetStatus):
                purged_at = write.at if write.purged else None
                for id, each in self.get_all(write.ids).items():
                    self._now[id] = evolve(
                        each, purged_at=purged_at, replaced_by=write.replaced_by, updated_at=write.at
                    )
            elif isinstance(write, RememberErased):
                self._marks.update(write.marks)
            elif isinstance(write, RememberRequest):
                self._requests.add(write.request)
        return outcome

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        """See `ObservationStorage.page`. All new observations are on the last page."""
        stored = () if self.stored is None else self.stored.page(after=after, limit=limit)
        now = [evolve(each, observation=self._now.get(each.observation.id, each.observation)) for each in stored]
        new = [] if len(stored) == limit else [self._now[id] for id in self._new]
        return (*now, *(Arrival(observation=each) for each in new if each.sequence > after))

    def erased(self) -> frozenset[bytes]:
        """See `ObservationStorage.erased`."""
        return frozenset(self._marks) | (frozenset() if self.stored is None else self.stored.erased())

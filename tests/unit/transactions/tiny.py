"""A project as small as decisions allow: dictionaries, with one line for each fact and each write."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.audit.entry import Signature
from lamella.domain.memories.observation import Draft, Observation
from lamella.domain.transactions.look import Facts, Look, Same, Status
from lamella.domain.transactions.other_writes import AddEntry, Amend, RememberRequest
from lamella.domain.transactions.plan import Insert, Plan, SetStatus

START = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
ENTRY = UUID(int=10**9)


def observed(number: int, content: str = "said", **fields: Any) -> Observation:
    """Return the observation with this id and sequence number."""
    at = START + number * MINUTE
    made = Draft(content=content).observed(id=UUID(int=number), project="p", sequence=number, now=at)
    return evolve(made, **fields)


def signed(minutes: int = 0) -> Signature:
    """Return the signature of a user."""
    return Signature(at=START + minutes * MINUTE, actor="user")


def facts(**fields: Any) -> Facts:
    """Return the facts of a project that has used seven numbers."""
    return Facts(**{"project": "p", "sequence": 7, **fields})


def same(observation: Observation, request: str | None = None) -> Same:
    """Return an observation with the text of a draft."""
    return Same(observation, request)


@define
class TinyProject:
    """Project state for testing decisions without a storage."""

    rows: dict[UUID, tuple[Observation, bytes, str | None]] = field(factory=dict)
    recorded: set[str] = field(factory=set)
    sequence: int = 0
    entries: list[AddEntry] = field(factory=list)

    def observations(self) -> dict[UUID, Observation]:
        """Return all observations by id."""
        return {id: said for id, (said, _, _) in self.rows.items()}

    def look(self, look: Look) -> Facts:
        """Return the facts that a look asks for."""
        every = self.observations()
        newest_first = sorted(every.values(), key=lambda each: (each.occurred_at, each.sequence), reverse=True)
        live = [each for each in newest_first if not each.purged]
        paths = {change.path: each for each in reversed(live) for change in each.changes}
        return Facts(
            project="p",
            sequence=self.sequence,
            latest=newest_first[0].occurred_at if newest_first else None,
            statuses={
                id: Status(every[id].purged, every[id].origin, every[id].replaced_by)
                for id in look.ids
                if id in every
            },
            same=tuple(
                Same(said, request) for said, mark, request in self.rows.values() if mark == look.fingerprint
            ),
            recorded=frozenset(look.requests) & self.recorded,
            changed={path: paths[path] for path in look.paths if path in paths},
        )

    def apply(self, plan: Plan) -> None:
        """Carry out a plan."""
        for write in plan:
            match write:
                case Insert(observation=said):
                    assert said.sequence > self.sequence
                    assert said.id not in self.rows
                    self.sequence = said.sequence
                    self.rows[said.id] = (said, write.fingerprint, write.request)
                case SetStatus():
                    for id in write.ids:
                        said, fingerprint, request = self.rows[id]
                        purged_at = write.at if write.purged else None
                        now = evolve(said, purged_at=purged_at, updated_at=write.at, replaced_by=write.replaced_by)
                        self.rows[id] = (now, fingerprint, request)
                case Amend(observation=said):
                    self.rows[said.id] = (said, *self.rows[said.id][1:])
                case RememberRequest():
                    self.recorded.add(write.request)
                case AddEntry():
                    self.entries.append(write)

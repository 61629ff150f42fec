"""Many tenants in one process, to check that no tenant sees the memories of another tenant."""

import time
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from uuid import UUID, uuid4

from attrs import define, field, frozen

from bench.support.workload import Language
from bench.team.load import at_once, spoken
from lamella.domain.errors import LamellaError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import ByText, RecallQuery, Recent
from lamella.domain.projects.project import Location
from lamella_adapters.postgresql import open_storage
from lamella_adapters.postgresql.storage import PostgresStorage

_CLIENTS = 16
_PLACE = Location(key="dir:/shared", name="shared", root=Path("/shared"))


@frozen(kw_only=True)
class Crowd:
    """Result of the operations of many tenants.

    Attributes:
        tenants: Number of tenants.
        operations: Number of operations, not counting each tenant's first save.
        leaks: Number of memories of one tenant in answers to another tenant.
        missed: Number of memories missing from answers to their own tenant.
        errors: Number of errors by name.
        seconds: Duration of the operations.
    """

    tenants: int
    operations: int
    leaks: int
    missed: int
    errors: Counter[str]
    seconds: float


@define(eq=False)
class _Tenants:
    """Tenants with a project at the same location. Their memories contain a common word and the tenant's name."""

    storages: list[PostgresStorage]
    operations: int
    projects: dict[int, str] = field(factory=dict)
    said: dict[int, list[UUID]] = field(factory=dict)
    waiting: list[int] = field(factory=list)
    counts: Counter[str] = field(factory=Counter)
    errors: Counter[str] = field(factory=Counter)
    lock: Lock = field(factory=Lock)

    def save(self, tenant: int) -> None:
        draft = Draft(content=f"Of tenant{tenant} the secret is {uuid4().hex}.", title=f"secret {tenant}")
        saved = self.storages[tenant].observations(self.projects[tenant])
        made = saved.add(draft, id=uuid4(), now=datetime.now(UTC)).observation
        self.said.setdefault(tenant, []).append(made.id)

    def begin(self, tenant: int) -> None:
        self.projects[tenant] = self.storages[tenant].registry.at(_PLACE, now=datetime.now(UTC)).id
        self.save(tenant)

    def operate(self, tenant: int, other: int, step: float) -> None:
        """Save, search or read as one tenant, with ids and words of tenant `other`. Count leaks and misses."""
        storage, project = self.storages[tenant], self.projects[tenant]
        if step < 0.25:
            self.save(tenant)
            return
        if step < 0.5:
            found = list(storage.observations(project).get_all([*self.said[other], *self.said[tenant]]).values())
        else:
            selector = ByText(f"secret tenant{other}") if step < 0.8 else Recent()
            found = [hit.observation for hit in storage.search(project).find(RecallQuery(selector=selector))]
        foreign = [each for each in found if f"tenant{tenant} " not in each.content]
        with self.lock:
            self.counts["leaks"] += len(foreign)
            self.counts["missed"] += not found

    def run(self, language: Language) -> None:
        """Run pending operations until none is left."""
        drawn = language.random
        while True:
            with self.lock:
                if not self.waiting:
                    return
                tenant = self.waiting.pop()
            try:
                if tenant not in self.projects:
                    self.begin(tenant)
                else:
                    self.operate(tenant, drawn.randrange(len(self.storages)), drawn.random())
            except LamellaError as error:
                with self.lock:
                    self.errors[type(error).__name__] += 1


def crowd(url: str, tenants: int, operations: int) -> Crowd:
    """Run operations of a number of tenants in one process."""
    languages = spoken(range(_CLIENTS))
    with closing(open_storage(url, Path())) as storage:
        everyone = _Tenants([storage.of_tenant(f"tenant {number}") for number in range(tenants)], operations)
        everyone.waiting = list(range(tenants))
        at_once(everyone.run, languages)
        begun = time.perf_counter()
        everyone.waiting = [number % tenants for number in range(operations)]
        languages[0].random.shuffle(everyone.waiting)
        at_once(everyone.run, languages)
        seconds = time.perf_counter() - begun
    counts = everyone.counts
    return Crowd(
        tenants=tenants,
        operations=operations,
        leaks=counts["leaks"],
        missed=counts["missed"],
        errors=everyone.errors,
        seconds=seconds,
    )

"""Storage and registry of projects in memory."""

from collections.abc import Callable, Iterable
from datetime import datetime
from threading import RLock

from attrs import define, evolve, field

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
from lamella.domain.transactions.catalogue import Catalogue
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.conversations import Conversations, SummaryCache
from lamella.ports.storage.diagnosis import StorageDiagnosis
from lamella.ports.storage.feed import Feed
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.audit import InMemoryAuditTrail
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.diagnosis import InMemoryDiagnosis
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.shelf import Row, Shelf
from lamella_adapters.memory.vectors import InMemoryVectors


@define(eq=False)
class InMemoryRegistry(ProjectRegistry):
    """Projects by id, each with the shelf of its rows.

    Attributes:
        lock: Lock to hold while reading or writing.
        projects: Projects by id.
        shelves: Shelves by id of the project.
    """

    lock: RLock = field(factory=RLock)
    projects: dict[str, Project] = field(factory=dict)
    shelves: dict[str, Shelf] = field(factory=dict)

    @property
    def catalogue(self) -> Catalogue:
        """Return all projects as they are now."""
        return Catalogue.of(self.projects.values())

    def known(self, id: str) -> Project:
        """Return the project with exactly this id, also if it was merged.

        Raises:
            UnknownProjectError: There is no such project.
        """
        return self.catalogue.known(id)

    def home(self, project: str) -> tuple[str, Shelf]:
        """See `Home.home`."""
        id = self.catalogue.home(self.known(project).id).id
        return id, self.shelves[id]

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        with self.lock:
            return tuple(self.catalogue.projects.values())

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        with self.lock:
            return self.catalogue.named(asked)

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        with self.lock:
            return self.catalogue.living_at(location)

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        with self.lock:
            owner, alias = self.catalogue.owner(location), stored_key(location.alias)
            if owner is None:
                owner = Project(id=location.project_id, name=location.name, created_at=now)
                self._make(owner)
            self._lead_to(owner.id, [alias])
            return self.catalogue.home(owner.id)

    def take_over(self, project: Project) -> Project:
        """See `ProjectRegistry.take_over`."""
        with self.lock:
            here, is_new = self.catalogue.arriving(project)
            if is_new:
                self._make(evolve(here, aliases=()))
            self._lead_to(here.id, here.aliases)
            return self.catalogue.home(here.id)

    def _make(self, project: Project) -> None:
        self.projects[project.id] = project
        self.shelves[project.id] = Shelf()

    def _lead_to(self, id: str, aliases: Iterable[str]) -> None:
        """Assign unclaimed aliases to this project."""
        free = set(aliases) - self.catalogue.by_alias.keys()
        known = self.projects[id]
        self.projects[id] = evolve(known, aliases=tuple(sorted({*known.aliases, *free})))

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """See `ProjectRegistry.switch`."""
        with self.lock:
            home = self.catalogue.home(self.known(project).id)
            self.projects[home.id] = home.switched(on=on, now=now)
            return self.projects[home.id]

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """See `ProjectRegistry.merge`."""
        with self.lock:
            source, target = self.known(old), self.catalogue.merge_target(old, new)
            if source.moved_to is None:
                self._note(Action.MERGE, by, target.id, old, target.id)
            self.projects[old] = evolve(source, moved_to=target.id)
            return self._transfer(self.shelves[old], target.id, lambda _: True)

    def split(self, old: str, *, by: Signature) -> int:
        """See `ProjectRegistry.split`."""
        with self.lock:
            holder = self.catalogue.merged_into(old)
            self.projects[old] = evolve(self.known(old), moved_to=None)
            # Includes projects that had been merged into `old` before, since only `old` leads to them now.
            family = {old, *self.catalogue.leading_to(old)}
            moved = self._transfer(self.shelves[holder.id], old, family.__contains__)
            self._note(Action.SPLIT, by, old, old, holder.id)
            (entry, *_) = [each for each in self.shelves[old].entries() if each.action is Action.SPLIT]
            self.shelves[holder.id].append(holder.id, entry)
            self.shelves[holder.id].number_by_time()
            return moved

    def _note(self, action: Action, by: Signature, origin: str, old: str, new: str) -> None:
        """Note a merge or split in the audit trail of `old`."""
        shelf = self.shelves[old]
        shelf.note(origin, action, by, count=len(shelf.rows), old=old, new=new)

    def _transfer(self, shelf: Shelf, to: str, leaves: Callable[[str], bool]) -> int:
        """Move everything whose origin `leaves` to the project `to`. Return the number of observations."""
        target = self.shelves[to]
        target.archive.take(shelf.archive, leaves)
        for request in [request for request, origin in shelf.captured.items() if leaves(origin)]:
            target.captured.setdefault(request, shelf.captured.pop(request))
        for name in [name for name, (origin, _) in shelf.activity.items() if leaves(origin)]:
            target.activity.setdefault(name, shelf.activity.pop(name))
        for id, (origin, entry) in sorted(shelf.audit.items(), key=lambda item: item[1][1].number):
            if leaves(origin):
                del shelf.audit[id]
                target.append(origin, entry)
        target.number_by_time()
        return self._move(shelf, to, [row for row in shelf.rows.values() if leaves(row.observation.origin)])

    def _move(self, shelf: Shelf, target: str, rows: list[Row]) -> int:
        for row in rows:
            shelf.take(row.observation.id)
            self.shelves[target].place(row, target)
        return len(rows)


@define(eq=False)
class InMemoryStorage(Storage):
    """Storage in dictionaries, which ends with the process.

    Attributes:
        shared: True to declare `Capability.SHARED`, for tests of what is shared.
        tenant: See `Storage.tenant`.
        tenants: All tenants by name, in each of them the same.
    """

    shared: bool = field(default=False, kw_only=True)
    tenant: str = field(default=DEFAULT_TENANT, kw_only=True)
    tenants: "dict[str, InMemoryStorage]" = field(factory=dict, kw_only=True)
    registry: InMemoryRegistry = field(init=False, factory=InMemoryRegistry)
    """See `Storage.registry`."""
    access_tokens: InMemoryAccessTokens = field(init=False, factory=InMemoryAccessTokens)
    """See `Storage.access_tokens`."""

    def __attrs_post_init__(self) -> None:
        self.tenants.setdefault(self.tenant, self)

    def of_tenant(self, tenant: str) -> Storage:
        """See `Storage.of_tenant`."""
        made = InMemoryStorage(shared=self.shared, tenant=tenant, tenants=self.tenants)
        made.access_tokens = self.access_tokens
        return self.tenants.setdefault(tenant, made)

    @property
    def capabilities(self) -> frozenset[Capability]:
        """See `Storage.capabilities`."""
        unlike = {Capability.DURABLE, Capability.BACKUP, *(() if self.shared else (Capability.SHARED,))}
        return frozenset(Capability) - unlike

    @property
    def diagnosis(self) -> StorageDiagnosis:
        """See `Storage.diagnosis`."""
        return InMemoryDiagnosis()

    @property
    def feed(self) -> Feed:
        """See `Storage.feed`."""
        return InMemoryFeed(self.registry)

    def observations(self, project: str) -> ObservationStorage:
        """See `Storage.observations`."""
        return self._scope(project)

    def search(self, project: str) -> ObservationSearch:
        """See `Storage.search`."""
        return InMemorySearch(self._scope(project))

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        """See `Storage.vectors`."""
        return InMemoryVectors(self._scope(project), model)

    def conversations(self, project: str) -> Conversations:
        """See `Storage.conversations`."""
        return InMemoryConversations(self._scope(project))

    def summaries(self, project: str) -> SummaryCache:
        """See `Storage.summaries`."""
        return InMemoryConversations(self._scope(project))

    def ledger(self, project: str) -> CodeLedger:
        """See `Storage.ledger`."""
        return InMemoryLedger(self._scope(project))

    def activity(self, project: str) -> ActivityLog:
        """See `Storage.activity`."""
        return InMemoryActivity(self._scope(project))

    def audit(self, project: str) -> AuditTrail:
        """See `Storage.audit`."""
        return InMemoryAuditTrail(self._scope(project))

    def close(self) -> None:
        """See `Storage.close`."""

    def _scope(self, project: str) -> InMemoryObservations:
        self.registry.known(project)
        return InMemoryObservations(project, self.registry)

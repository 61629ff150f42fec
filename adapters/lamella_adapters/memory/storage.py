"""Storage and registry of projects in memory."""

from collections.abc import Callable
from datetime import datetime
from threading import RLock

from attrs import define, evolve, field

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.audit.entry import Action
from lamella.domain.audit.signature import Signature
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import AmbiguousProjectError, ProjectChangeError, UnknownProjectError
from lamella.domain.projects.identity import is_another_repository
from lamella.domain.projects.project import Location, Project
from lamella.domain.text.keys import stored_key
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
        aliases: Ids by alias.
        names: Ids by name.
        shelves: Shelves by id of the project.
    """

    lock: RLock = field(factory=RLock)
    projects: dict[str, Project] = field(factory=dict)
    aliases: dict[str, str] = field(factory=dict)
    names: dict[str, list[str]] = field(factory=dict)
    shelves: dict[str, Shelf] = field(factory=dict)

    def known(self, id: str) -> Project:
        """Return the project with exactly this id, also if it was merged.

        Raises:
            UnknownProjectError: There is no such project.
        """
        if id not in self.projects:
            raise UnknownProjectError(asked=id)
        return self.projects[id]

    def home(self, project: str) -> tuple[str, Shelf]:
        """See `Home.home`."""
        id = self._followed(self.known(project)).id
        return id, self.shelves[id]

    def all(self) -> tuple[Project, ...]:
        """See `ProjectRegistry.all`."""
        with self.lock:
            return tuple(sorted(self.projects.values(), key=lambda project: (project.name, project.id)))

    def named(self, asked: str) -> Project:
        """See `ProjectRegistry.named`."""
        with self.lock:
            if asked in self.projects:
                return self._followed(self.projects[asked])
            key = stored_key(asked)
            found = [self.aliases[key]] if key in self.aliases else self.names.get(asked, ())
            # Projects that were merged into the same one are not ambiguous.
            ids = sorted({self._followed(self.projects[id]).id for id in found})
            if not ids:
                raise UnknownProjectError(asked=asked)
            if len(ids) > 1:
                raise AmbiguousProjectError(asked=asked, candidates=ids)
            return self.projects[ids[0]]

    def living_at(self, location: Location) -> Project | None:
        """See `ProjectRegistry.living_at`."""
        with self.lock:
            known = self._owner(location)
            return None if known is None else self._followed(known)

    def at(self, location: Location, *, now: datetime) -> Project:
        """See `ProjectRegistry.at`."""
        with self.lock:
            known = self._owner(location)
            if known is not None:
                if location.repository is not None and stored_key(location.repository) not in known.aliases:
                    alias = stored_key(location.repository)
                    self.projects[known.id] = evolve(known, aliases=(*known.aliases, alias))
                    self.aliases[alias] = known.id
                return self._followed(self.projects[known.id])
            alias = stored_key(location.alias)
            return self._make(
                Project(id=location.project_id, name=location.name, aliases=(alias,), created_at=now)
            )

    def take_over(self, project: Project) -> Project:
        """See `ProjectRegistry.take_over`."""
        with self.lock:
            aliases = tuple(map(stored_key, project.aliases))
            by_alias = next((self.aliases[alias] for alias in aliases if alias in self.aliases), None)
            known = self.projects.get(project.id) or self.projects.get(by_alias or "")
            free = tuple(alias for alias in aliases if alias not in self.aliases)
            if known is None:
                return self._make(evolve(project, aliases=tuple(sorted(free)), moved_to=None))
            self.projects[known.id] = evolve(known, aliases=tuple(sorted((*known.aliases, *free))))
            self.aliases.update(dict.fromkeys(free, known.id))
            return self._followed(self.projects[known.id])

    def _make(self, project: Project) -> Project:
        self.projects[project.id] = project
        self.aliases.update(dict.fromkeys(project.aliases, project.id))
        self.names.setdefault(project.name, []).append(project.id)
        self.shelves[project.id] = Shelf()
        return project

    def switch(self, project: str, *, on: bool, now: datetime) -> Project:
        """See `ProjectRegistry.switch`."""
        with self.lock:
            home = self._followed(self.known(project))
            self.projects[home.id] = home.switched(on=on, now=now)
            return self.projects[home.id]

    def merge(self, old: str, new: str, *, by: Signature) -> int:
        """See `ProjectRegistry.merge`."""
        with self.lock:
            source, target = self.known(old), self._followed(self.known(new))
            if source.moved_to not in (None, target.id):
                raise ProjectChangeError(reason=f"{old} is merged into {source.moved_to} already.")
            if source.id == target.id:
                raise ProjectChangeError(reason="A project cannot be merged into itself.")
            if source.moved_to is None:
                self._note(Action.MERGE, by, target.id, old, target.id)
            self.projects[old] = evolve(source, moved_to=target.id)
            return self._transfer(self.shelves[old], target.id, lambda _: True)

    def split(self, old: str, *, by: Signature) -> int:
        """See `ProjectRegistry.split`."""
        with self.lock:
            source = self.known(old)
            if source.moved_to is None:
                raise ProjectChangeError(reason=f"{old} was not merged into another project.")
            holder = self._followed(source)
            self.projects[old] = evolve(source, moved_to=None)

            def returns(origin: str) -> bool:
                # Includes projects that had been merged into `old` before, since only `old` leads to them now.
                return origin in self.projects and self._followed(self.projects[origin]).id == old

            moved = self._transfer(self.shelves[holder.id], old, returns)
            self._note(Action.SPLIT, by, old, old, holder.id)
            (entry, *_) = [each for each in self.shelves[old].entries() if each.action is Action.SPLIT]
            self.shelves[holder.id].append(holder.id, entry)
            self.shelves[holder.id].number_by_time()
            return moved

    def _note(self, action: Action, by: Signature, origin: str, old: str, new: str) -> None:
        """Note a merge or split in the audit trail of `old`."""
        shelf = self.shelves[old]
        shelf.note(origin, action, by, count=len(shelf.rows), old=old, new=new)

    def _owner(self, location: Location) -> Project | None:
        """Return the project that lives at a location, without following merges."""
        id = self.aliases.get(stored_key(location.alias)) or self.aliases.get(stored_key(location.key))
        if id is None or is_another_repository(self.projects[id].aliases, location.repository):
            return None
        return self.projects[id]

    def _transfer(self, shelf: Shelf, to: str, leaves: Callable[[str], bool]) -> int:
        """Move everything whose origin `leaves` to the project `to`. Return the number of observations."""
        target = self.shelves[to]
        target.archive.take(shelf.archive, leaves)
        target.erased |= shelf.erased
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

    def _followed(self, project: Project) -> Project:
        while project.moved_to is not None:
            project = self.projects[project.moved_to]
        return project


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
        self.registry.known(project)
        return InMemoryConversations(project, self.registry)

    def summaries(self, project: str) -> SummaryCache:
        """See `Storage.summaries`."""
        self.registry.known(project)
        return InMemoryConversations(project, self.registry)

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

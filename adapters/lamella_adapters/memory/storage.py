"""Storage and registry of projects in memory."""

from collections.abc import Callable, Collection
from threading import RLock

from attrs import define, evolve, field

from lamella.domain.access.event import TENANT_DELETED
from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.audit.entry import Action, Signature
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import stored_key
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.merging import Move
from lamella.domain.transactions.plan import Plan, admitted
from lamella.domain.transactions.registry import KeepOff, LeadTo, MakeProject, RegistryPlan, RegistryWrite
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.diagnosis import Finding, Severity, StorageDiagnosis
from lamella.ports.storage.feed import Feed
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry, T
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.audit import InMemoryAuditTrail
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData, Row
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.vectors import InMemoryVectors


class InMemoryDiagnosis(StorageDiagnosis):
    """Diagnosis with one finding: a warning that memories end with the process. There is nothing to repair."""

    def findings(self) -> tuple[Finding, ...]:
        """See `StorageDiagnosis.findings`."""
        message = "Memories are kept in this process only and end with it."
        return (Finding(subject="storage", severity=Severity.WARNING, message=message),)


@define(eq=False)
class InMemoryRegistry(ProjectRegistry):
    """Registry of all projects and their data.

    Attributes:
        lock: Lock to hold while reading or writing.
        projects: Projects, keyed by id.
        data_of: Data of projects, keyed by project id.
        bounded: The storage's tenant, with its quota.
        saved: Memories added today. The number is never reset, because no process with this adapter runs for
            longer than a day.
    """

    lock: RLock = field(factory=RLock)
    projects: dict[str, Project] = field(factory=dict)
    data_of: dict[str, ProjectData] = field(factory=dict)
    bounded: TenantSize = field(factory=lambda: TenantSize(DEFAULT_TENANT))
    saved: int = 0

    def size(self) -> TenantSize:
        """Return the size of the tenant, not counting its access tokens."""
        memories = sum(len(each.rows) for each in self.data_of.values())
        return evolve(self.bounded, projects=len(self.data_of), memories=memories, saves=self.saved)

    def admit(self, plan: Plan) -> None:
        """See `Home.admit`."""
        self.saved = admitted(plan, self.size()).saves

    @property
    def catalogue(self) -> Catalogue:
        """All projects as they are now."""
        return Catalogue.of(self.projects.values())

    def known(self, id: str) -> Project:
        """Return the project with the id `id`, even if it was merged.

        Raises:
            UnknownProjectError: The project doesn't exist.
        """
        return self.catalogue.known(id)

    def home(self, project: str) -> tuple[str, ProjectData]:
        """See `Home.home`."""
        id = self.catalogue.home(self.known(project).id).id
        return id, self.data_of[id]

    def look(self, look: ProjectLook) -> Catalogue:
        """See `ProjectRegistry.look`."""
        del look
        with self.lock:
            return self.catalogue

    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        """See `ProjectRegistry.transact`."""
        with self.lock:
            plan, outcome = decide(self.look(look))
            for write in plan:
                self._write(write)
        return outcome

    def _write(self, write: RegistryWrite) -> None:
        match write:
            case MakeProject(project) if project.id not in self.projects:
                self.projects[project.id] = evolve(project, aliases=())
                self.data_of[project.id] = ProjectData()
                self._write(LeadTo(project.id, project.aliases))
            case LeadTo(id, aliases):
                known = self.projects[id]
                free = {each for each in map(stored_key, aliases) if each not in self.catalogue.by_alias}
                self.projects[id] = evolve(known, aliases=tuple(sorted({*known.aliases, *free})))
            case KeepOff(project):
                self.projects[project.id] = evolve(self.projects[project.id], off=project.off)

    def move(self, look: ProjectLook, decide: Callable[[Catalogue], Move], *, by: Signature) -> int:
        """See `ProjectRegistry.move`."""
        with self.lock:
            move = decide(self.look(look))
            old, home = self.projects[move.old], move.home
            if move.action is Action.MERGE:
                if not move.again:
                    self._note(move.action, by, home, old.id, home)
                self.projects[old.id] = evolve(old, moved_to=home)
                return self._transfer(self.data_of[old.id], home, lambda _: True)
            self.projects[old.id] = evolve(old, moved_to=None)
            moved = self._transfer(self.data_of[home], old.id, move.origins.__contains__, move.rest)
            self._note(move.action, by, old.id, old.id, home)
            (entry, *_) = [each for each in self.data_of[old.id].entries() if each.action is Action.SPLIT]
            self.data_of[home].append(evolve(entry, origin=home))
            self.data_of[home].number_by_time()
            return moved

    def _note(self, action: Action, by: Signature, origin: str, old: str, new: str) -> None:
        """Record a merge or split in the audit trail of `old`."""
        data = self.data_of[old]
        data.note(action, by, count=len(data.rows), old=old, new=new, origin=origin)

    def _transfer(
        self, data: ProjectData, to: str, leaves: Callable[[str], bool], rest: Collection[str] = ()
    ) -> int:
        """Move data to the project `to` if `leaves` returns True for the origin of the data.

        The audit entry of a split belongs to both projects. If one is in `rest`, the entry also stays here.

        Return the number of moved observations.
        """
        target = self.data_of[to]
        target.archive.take(data.archive, leaves)
        for request in [request for request, origin in data.captured.items() if leaves(origin)]:
            target.captured.setdefault(request, data.captured.pop(request))
        for name in [name for name, (origin, _) in data.activity.items() if leaves(origin)]:
            target.activity.setdefault(name, data.activity.pop(name))
        for entry in data.entries()[::-1]:
            both = (entry.origin, *((entry.old, entry.new) if entry.action is Action.SPLIT else ()))
            leaving = [each for each in both if each and leaves(each)]
            if leaving:
                target.append(evolve(entry, origin=leaving[0]))
            if both[0] in leaving:
                del data.audit[entry.id]
                for staying in [each for each in both if each in rest]:
                    data.audit[entry.id] = evolve(entry, origin=staying)
        target.number_by_time()
        return self._move(data, to, [row for row in data.rows.values() if leaves(row.observation.origin)])

    def _move(self, data: ProjectData, target: str, rows: list[Row]) -> int:
        for row in rows:
            data.take(row.observation.id)
            self.data_of[target].place(row, target)
        return len(rows)


@define(eq=False)
class InMemoryStorage(Storage):
    """Storage in dictionaries, lost at the end of the process.

    Attributes:
        shared: True to declare `Capability.SHARED`, for tests of sharing.
        tenant: See `Storage.tenant`.
        opened: Storages of all tenants, keyed by tenant name. All of these storages share the dictionary.
    """

    shared: bool = field(default=False, kw_only=True)
    tenant: str = field(default=DEFAULT_TENANT, kw_only=True)
    opened: "dict[str, InMemoryStorage]" = field(factory=dict, kw_only=True)
    registry: InMemoryRegistry = field(init=False, factory=InMemoryRegistry)
    """See `Storage.registry`."""
    access_tokens: InMemoryAccessTokens = field(init=False, factory=InMemoryAccessTokens)
    """See `Storage.access_tokens`."""

    def __attrs_post_init__(self) -> None:
        self.opened.setdefault(self.tenant, self)

    def of_tenant(self, tenant: str) -> Storage:
        """See `Storage.of_tenant`."""
        made = InMemoryStorage(shared=self.shared, tenant=tenant, opened=self.opened)
        made.access_tokens = self.access_tokens
        return self.opened.setdefault(tenant, made)

    def tenants(self) -> tuple[TenantSize, ...]:
        """See `Storage.tenants`."""
        sizes = (each.known_size() for _, each in sorted(self.opened.items()))
        return tuple(each for each in sizes if each.projects or each.tokens or each.quota.bounds)

    def known_size(self) -> TenantSize:
        """See `Storage.known_size`."""
        tokens = len(self.access_tokens.all(self.tenant))
        return evolve(self.registry.size(), name=self.tenant, tokens=tokens)

    def limit_tenant(self, tenant: str, quota: Quota) -> None:
        """See `Storage.limit_tenant`."""
        self.of_tenant(tenant)
        self.opened[tenant].registry.bounded = TenantSize(tenant, quota=quota)

    def delete_tenant(self, tenant: str) -> None:
        """See `Storage.delete_tenant`."""
        if (deleted := self.opened.get(tenant)) is not None:
            deleted.registry = InMemoryRegistry()
        self.access_tokens.forget(tenant)
        self.access_tokens.note(self.tenant, TENANT_DELETED, tenant)

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

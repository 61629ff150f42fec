"""The in-memory storage with a fault in one of its parts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, RLock, current_thread, main_thread
from typing import Any, Self, TypeVar
from unittest.mock import patch

from attrs import evolve, fields, frozen

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.plan import Insert, Write
from lamella.ports.storage.activity import ActivityLog
from lamella.ports.storage.audit import AuditTrail
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.feed import Feed
from lamella.ports.storage.ledger import CodeLedger
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.audit import InMemoryAuditTrail
from lamella_adapters.memory.conversations import InMemoryConversations
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.message_store import Archive
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.project_data import ProjectData
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.clauses.storage.concurrency import THREADS
from lamella_contracts.mutants.mutant import Mutants, Opening

_PATCHING = RLock()

HOOKS = ("break_connection", "lose_answer", "opening_code")
"""Optional hooks of a storage contract. A broken storage may define them as static methods."""

_Write = TypeVar("_Write", bound=Write)
HANG_SECONDS = 300.0
"""Longest wait for a thread, in seconds."""


class BrokenStorage(InMemoryStorage):
    """The in-memory storage with some of its parts replaced by faulty parts.

    Args:
        parts: Classes of the storage's parts.
        folder: Folder in which a fault may write files.
    """

    def __init__(self, parts: "Parts", folder: Path) -> None:
        super().__init__()
        self.parts = parts
        self.folder = folder
        self.registry = parts.registry()
        self.access_tokens = parts.access_tokens()

    @property
    def feed(self) -> Feed:
        return self.parts.feed(self.registry)

    def of_tenant(self, tenant: str) -> Storage:
        if Capability.TENANTS not in self.capabilities:
            return Storage.of_tenant(self, tenant)
        made = type(self)(self.parts, self.folder)
        made.tenant, made.opened = tenant, self.opened
        return self.opened.setdefault(tenant, made)

    def observations(self, project: str) -> ObservationStorage:
        return self._scope(project)

    def search(self, project: str) -> ObservationSearch:
        return self.parts.search(self._scope(project))

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        return self.parts.vectors(self._scope(project), model)

    def conversations(self, project: str) -> Conversations:
        scope = self._scope(project)
        for data in self.registry.data_of.values():
            if type(data.archive) is not self.parts.archive:
                data.archive = self.parts.archive()
        return self.parts.conversations(scope)

    def ledger(self, project: str) -> CodeLedger:
        return self.parts.ledger(self._scope(project))

    def activity(self, project: str) -> ActivityLog:
        return self.parts.activity(self._scope(project))

    def audit(self, project: str) -> AuditTrail:
        return self.parts.audit(self._scope(project))

    def reopened(self) -> Self:
        """Return the storage after a restart. It is empty, because the storage isn't declared durable."""
        return type(self)(self.parts, self.folder)

    def _scope(self, project: str) -> InMemoryObservations:
        self.registry.known(project)
        return self.parts.observations(project, self.registry, transactions=self.parts.transaction)


class DurableStorage(BrokenStorage):
    """Storage that declares durability, and keeps everything at a restart.

    Subclasses override `restarted`, to lose some of the data.
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        return super().capabilities | {Capability.DURABLE}

    def reopened(self) -> Self:
        self.restarted()
        return self

    def restarted(self) -> None:
        """Do nothing. Overridden by subclasses that lose data at a restart."""


def losing(*parts: str) -> type[DurableStorage]:
    """Return a storage that declares durability, but loses these parts of each project's data at a restart."""

    class Losing(DurableStorage):
        def restarted(self) -> None:
            for data in self.registry.data_of.values():
                for part in parts:
                    setattr(data, part, getattr(ProjectData(), part))

    return Losing


def declaring(declared: Any, storage: type[BrokenStorage] = BrokenStorage) -> type[BrokenStorage]:
    """Return a subclass of `storage` that declares exactly these capabilities, whether it has them or not."""

    class Declaring(storage):  # type: ignore[misc, valid-type]  # chosen at run time
        @property
        def capabilities(self) -> Any:
            return declared

    return Declaring


def without(capability: Capability, storage: type[BrokenStorage] = BrokenStorage) -> type[BrokenStorage]:
    """Return a subclass of `storage` that doesn't declare this capability."""
    return declaring(frozenset(Capability) - {Capability.DURABLE, capability}, storage)


@frozen(kw_only=True)
class Parts:
    """The parts of a storage. One part has a fault."""

    transaction: type[InMemoryTransaction] = InMemoryTransaction
    observations: type[InMemoryObservations] = InMemoryObservations
    search: type[InMemorySearch] = InMemorySearch
    vectors: type[InMemoryVectors] = InMemoryVectors
    conversations: type[InMemoryConversations] = InMemoryConversations
    archive: type[Archive] = Archive
    ledger: type[InMemoryLedger] = InMemoryLedger
    activity: type[InMemoryActivity] = InMemoryActivity
    audit: type[InMemoryAuditTrail] = InMemoryAuditTrail
    access_tokens: type[InMemoryAccessTokens] = InMemoryAccessTokens
    feed: type[InMemoryFeed] = InMemoryFeed
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[BrokenStorage] = BrokenStorage

    @classmethod
    def of(cls, *broken: type) -> "Parts":
        """Return parts with these classes in place of their base classes."""
        whole = {each.name: each.default for each in fields(cls)}
        return cls(**{name: part for part in broken for name, base in whole.items() if issubclass(part, base)})


def _opening(*broken: type) -> Opening:
    parts = Parts.of(*broken)
    opened: dict[Path, BrokenStorage] = {}

    def open_storage(_: object, folder: Path) -> BrokenStorage:
        known = opened.get(folder)
        opened[folder] = known.reopened() if known else parts.storage(parts, folder)
        return opened[folder]

    hooks = {name: hook for name in HOOKS if (hook := getattr(parts.storage, name, None)) is not None}
    return {"open_storage": open_storage, **hooks}


def storage_mutants() -> Mutants:
    """Return an empty collection for mutants of the in-memory storage.

    The class of a mutant replaces its base class in the parts of the storage.
    """
    return Mutants(_opening)


@contextmanager
def changed(target: object, **replacements: Any) -> Iterator[None]:
    """Change attributes of `target` for one thread at a time, without affecting the model."""
    with _PATCHING, patch.multiple(target, **replacements):
        yield


def finding_with(target: object, **replacements: Any) -> type[InMemorySearch]:
    """Return a search class that replaces attributes of `target` while `find` runs."""

    class Finding(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            with changed(target, **replacements):
                return super().find(query)

    return Finding


def looking(fault: Callable[[InMemoryTransaction, Look, Facts], Mapping[str, Any]]) -> type[InMemoryTransaction]:
    """Return a transaction class whose facts are changed by `fault`."""

    class Looking(InMemoryTransaction):
        def look(self, look: Look) -> Facts:
            facts = super().look(look)
            return evolve(facts, **fault(self, look, facts))

    return Looking


def writing(
    kind: type[_Write], fault: Callable[[InMemoryTransaction, _Write], Iterable[Write]]
) -> type[InMemoryTransaction]:
    """Return a transaction class whose writes of one kind are replaced by `fault`."""

    class Writing(InMemoryTransaction):
        def _write(self, write: Write) -> None:
            for each in fault(self, write) if isinstance(write, kind) else (write,):
                super()._write(each)

    return Writing


def storing(**fields: Callable[[Observation], Any]) -> type[InMemoryTransaction]:
    """Return a transaction class that changes fields of inserted observations by functions of the observation."""

    def others(_: InMemoryTransaction, write: Insert) -> Iterable[Write]:
        changes = {name: change(write.observation) for name, change in fields.items()}
        return (evolve(write, observation=evolve(write.observation, **changes)),)

    return writing(Insert, others)


def racing() -> bool:
    """Return True if a clause started the calling thread."""
    return current_thread() is not main_thread()


class Meeting:
    """A barrier for threads started by a clause. The clause's own thread passes without waiting."""

    def __init__(self) -> None:
        self._everyone = Barrier(THREADS)

    def wait(self) -> int:
        """Wait until all threads have called this method. Return a distinct number from 0 to `THREADS` - 1."""
        return self._everyone.wait(timeout=HANG_SECONDS) if racing() else 0

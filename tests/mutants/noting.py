"""How a storage with a broken log of activity is made of the in-memory one."""

from attrs import frozen

from lamella.ports.storage.activity import ActivityLog
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.activity import InMemoryActivity
from lamella_adapters.memory.storage import InMemoryRegistry
from tests.mutants.faults import FaultInMemory


class Noting(InMemoryStorage):
    """The in-memory storage with another log in it."""

    def __init__(self, mutant: "Mutant") -> None:
        super().__init__()
        self.mutant = mutant
        self._registry = mutant.registry()

    def activity(self, project: str) -> ActivityLog:
        return self.mutant.log(self._scope(project))


@frozen(kw_only=True)
class Mutant(FaultInMemory):
    """A storage with one fault in its log."""

    log: type[InMemoryActivity] = InMemoryActivity
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[Noting] = Noting

    def broken(self) -> Noting:
        return self.storage(self)

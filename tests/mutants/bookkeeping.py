"""How a storage with a broken ledger is made of the in-memory one."""

from attrs import frozen

from lamella.ports.storage.ledger import CodeLedger
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts import CodeLedgerContract
from tests.mutants.faults import FaultInMemory

EVERY = frozenset(CodeLedgerContract.clauses())
AGREEMENT = "any_ledger_agrees_with_the_model"
"""Compares with the model, notices much and names nothing: only run where a mutant lists it."""


class Booking(InMemoryStorage):
    """The in-memory storage with another ledger in it."""

    def __init__(self, mutant: "Mutant") -> None:
        super().__init__()
        self.mutant = mutant
        self._registry = mutant.registry()

    def ledger(self, project: str) -> CodeLedger:
        return self.mutant.ledger(self._scope(project))


@frozen(kw_only=True)
class Mutant(FaultInMemory):
    """A fault in one of these parts."""

    ledger: type[InMemoryLedger] = InMemoryLedger
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[Booking] = Booking

    def broken(self) -> Booking:
        return self.storage(self)

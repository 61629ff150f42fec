"""How a storage with a broken ledger is made of the in-memory one."""

from collections.abc import Callable, Iterable
from pathlib import Path

from attrs import field, frozen

from lamella.ports.ledger import CodeLedger
from lamella.ports.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.ledger import InMemoryLedger
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts import CodeLedgerContract

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


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen(kw_only=True)
class Mutant:
    """One fault, and the clauses that name it: `trips` exactly, and of the costly ones `compared`."""

    fault: str
    trips: frozenset[str] = field(converter=_names)
    compared: frozenset[str] = field(converter=_names, default=())
    ledger: type[InMemoryLedger] = InMemoryLedger
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[Booking] = Booking

    def __str__(self) -> str:
        return self.fault.replace(" ", "-")

    def opener(self) -> Callable[[object, Path], Booking]:
        """Opens the broken storage; at one folder the same again where it says that it keeps things."""
        opened: dict[Path, Booking] = {}

        def open_storage(_: object, folder: Path) -> Booking:
            storage = opened.setdefault(folder, self.storage(self))
            return storage if Capability.DURABLE in storage.capabilities else self.storage(self)

        return open_storage

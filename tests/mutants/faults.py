"""What all mutants have in common: a fault in words, the clauses that name it, and a storage that has it."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from attrs import field, frozen
from hypothesis import Phase

from lamella.ports.storage.storage import Capability, Storage
from lamella_contracts import Contract
from lamella_contracts.fixtures import strategies
from tests.mutants.breeding import failing


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen(kw_only=True)
class Fault:
    """One fault, and the clauses that name it: `trips` exactly, and of the costly ones `compared`."""

    fault: str
    trips: frozenset[str] = field(converter=_names)
    compared: frozenset[str] = field(converter=_names, default=())

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", self.fault)

    @abstractmethod
    def broken(self) -> Storage:
        """A new storage that has the fault."""

    def opener(self) -> Callable[[object, Path], Storage]:
        """Opens the broken storage; at one folder the same again where it says that it keeps things."""
        opened: dict[Path, Storage] = {}

        def open_storage(_: object, folder: Path) -> Storage:
            storage = opened.setdefault(folder, self.broken())
            return storage if Capability.DURABLE in storage.capabilities else self.broken()

        return open_storage

    def noticed_by(self, contract: type[Contract], folder: Path, *, comparing: str) -> set[str]:
        """Every clause of `contract` that fails; `comparing` is only run where the fault lists costly ones."""
        tested = type("Tested", (contract,), {"open_storage": self.opener()})()
        asked = [each for each in tested.clauses() if each != comparing or self.compared]
        with pytest.MonkeyPatch.context() as patched:
            # That a comparing clause fails is enough; how short it can be made would take seconds.
            patched.setattr(strategies, "PHASES", (Phase.generate,))
            return failing(tested, asked, folder)

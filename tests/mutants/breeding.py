"""How a broken storage is made of the in-memory one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from unittest.mock import patch

from attrs import frozen

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Storage
from lamella.ports.storage.vectors import VectorIndex
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.observations import InMemoryObservations
from lamella_adapters.memory.search import InMemorySearch
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_adapters.memory.vectors import InMemoryVectors
from tests.mutants.faults import Fault

_PATCHING = RLock()


class Bred(InMemoryStorage):
    """The in-memory storage with parts exchanged."""

    def __init__(self, mutant: "Mutant", folder: Path) -> None:
        super().__init__()
        self._registry = mutant.registry()
        self.mutant = mutant
        self.folder = folder

    def observations(self, project: str) -> ObservationStorage:
        return self._scope(project)

    def search(self, project: str) -> ObservationSearch:
        return self.mutant.search(self._scope(project))

    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        return self.mutant.vectors(self._scope(project), model)

    def _scope(self, project: str) -> InMemoryObservations:
        self.registry.known(project)
        return self.mutant.observations(project, self.registry)


@frozen(kw_only=True)
class Mutant(Fault):
    """A fault in one of these parts."""

    observations: type[InMemoryObservations] = InMemoryObservations
    search: type[InMemorySearch] = InMemorySearch
    vectors: type[InMemoryVectors] = InMemoryVectors
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[Bred] = Bred

    def opener(self) -> Callable[[object, Path], Storage]:
        return lambda _, folder: self.storage(self, folder)


@contextmanager
def changed(target: object, **replacements: Any) -> Iterator[None]:
    """`target` with other attributes, for one thread at a time, so that the model never sees them."""
    with _PATCHING, patch.multiple(target, **replacements):
        yield


def finding_with(target: object, **replacements: Any) -> type[InMemorySearch]:
    """Search that finds while `target` has these attributes."""

    class Finding(InMemorySearch):
        def find(self, query: RecallQuery) -> tuple[Hit, ...]:
            with changed(target, **replacements):
                return super().find(query)

    return Finding

"""How a broken storage is made of the in-memory one, and which clauses notice."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from unittest.mock import patch

import pytest
from attrs import field, frozen

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
from lamella_contracts import (
    Contract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
)

COSTLY = frozenset(
    {
        "any_history_agrees_with_the_model",
        "ranking_agrees_with_the_model",
        "rarities_agree_with_the_model",
        "ranking_agrees_where_words_are_rare",
        "a_large_project_has_stop_words_of_its_own",
    }
)
"""Clauses that compare with the model, notice much and name nothing, or take long. A mutant lists those that must
notice; the others are not run."""

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


def _names(clauses: Iterable[str]) -> frozenset[str]:
    return frozenset(clauses)


@frozen(kw_only=True)
class Mutant:
    """One fault, and the clauses that name it: `trips` exactly, and of the costly ones at least `compared`.

    `chance` are clauses that notice or not, as threads happen to run or examples to be drawn.
    """

    fault: str
    trips: frozenset[str] = field(converter=_names)
    compared: frozenset[str] = field(converter=_names, default=())
    chance: frozenset[str] = field(converter=_names, default=())
    observations: type[InMemoryObservations] = InMemoryObservations
    search: type[InMemorySearch] = InMemorySearch
    vectors: type[InMemoryVectors] = InMemoryVectors
    registry: type[InMemoryRegistry] = InMemoryRegistry
    storage: type[Bred] = Bred

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", self.fault)

    def open(self, folder: Path) -> Storage:
        """Opens the broken storage."""
        return self.storage(self, folder)


def clauses_that_notice(mutant: Mutant, folder: Path) -> set[str]:
    """Every clause that fails; the costly ones are only run where the mutant lists them."""
    found: set[str] = set()
    for contract in (ObservationStorageContract, ObservationSearchContract, ProjectRegistryContract):
        tested = type("Tested", (contract,), {"open_storage": lambda _, tmp_path: mutant.open(tmp_path)})()
        skipped = COSTLY - mutant.compared - mutant.trips
        found |= failing(tested, [each for each in contract.clauses() if each not in skipped], folder)
    return found


def failing(contract: Contract, ids: Sequence[str], folder: Path) -> set[str]:
    """Which of these clauses fail."""
    return {id for id in ids if not _holds(contract, id, folder / id)}


def _holds(contract: Contract, id: str, folder: Path) -> bool:
    folder.mkdir()
    try:
        with contract.subject(folder) as subject:
            contract.clauses()[id].check(contract, subject)
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - a fault may show as any exception
        return False
    return True


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

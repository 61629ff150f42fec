"""Faults in which model's vectors are kept, and in whose project."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from attrs import evolve

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.ports.storage.vectors import Coverage, Nearest, NewVector, VectorIndex
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutant

Vectors = Sequence[NewVector]


class AdoptsWhoeverAsks(InMemoryVectors):
    def _kept(self) -> dict[UUID, Vector | None]:
        if self.observations.shelf.model is None:
            self.adopt()
        return super()._kept()


class AlwaysDrops(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.shelf.model = None
        super().adopt()


class DropsNothing(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.shelf.model = self.model


class ComparesNames(InMemoryVectors):
    """Takes a model of the same name for the same."""

    def _kept(self) -> dict[UUID, Vector | None]:
        kept = self.observations.shelf.model
        if kept is not None and kept.name == self.model.name:
            return self.observations.shelf.vectors
        return super()._kept()


class CountsForAnyModel(InMemoryVectors):
    def coverage(self) -> Coverage:
        shelf = self.observations.shelf
        return InMemoryVectors(self.observations, shelf.model or self.model).coverage()


class CutsOrFills(InMemoryVectors):
    """Takes every vector for one of the model's dimension."""

    def put(self, vectors: Vectors) -> None:
        super().put([evolve(each, vector=each.vector and self.fitted(each.vector)) for each in vectors])

    def fitted(self, vector: Vector) -> Vector:
        dimension = self.model.dimension
        return Vector((vector.components + bytes(dimension))[:dimension])


class FindsByAnyLength(CutsOrFills):
    put = InMemoryVectors.put

    def nearest(self, vector: Vector, **asked: Any) -> Nearest:
        return super().nearest(self.fitted(vector), **asked)


class PutsOneByOne(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put([])
        for each in vectors:
            super().put([each])


class KnowsEveryProject(BrokenStorage):
    def vectors(self, project: str, model: EmbeddingModel) -> VectorIndex:
        known = project if project in self.registry.projects else next(iter(self.registry.projects))
        return super().vectors(known, model)


LENGTHS = {"another_dimension_is_refused"}

MUTANTS = (
    Mutant(
        fault="the first model that asks is adopted",
        vectors=AdoptsWhoeverAsks,
        trips={"nothing_is_kept_before_a_model_is_adopted", "vectors_stay_in_their_project"},
    ),
    Mutant(
        fault="adopting always drops the vectors",
        vectors=AlwaysDrops,
        trips={"adopting_again_changes_nothing"},
    ),
    Mutant(
        fault="adopting drops nothing",
        vectors=DropsNothing,
        trips={"another_model_drops_the_vectors"},
    ),
    Mutant(fault="models are known by name", vectors=ComparesNames, trips={"another_model_is_refused"}),
    Mutant(
        fault="coverage is of any model",
        vectors=CountsForAnyModel,
        trips={"another_model_is_refused"},
    ),
    Mutant(fault="vectors of any length are kept", vectors=CutsOrFills, trips=LENGTHS),
    Mutant(fault="vectors of any length find", vectors=FindsByAnyLength, trips=LENGTHS),
    Mutant(fault="half a batch is kept", vectors=PutsOneByOne, trips=LENGTHS),
    Mutant(
        fault="an unknown project has vectors",
        storage=KnowsEveryProject,
        trips={"vectors_stay_in_their_project"},
    ),
)

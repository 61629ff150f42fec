"""Faults in which model's vectors are kept, and in whose project."""

from collections.abc import Sequence
from uuid import UUID

from attrs import evolve

from lamella.domain.embeddings.vector import Vector
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import Mutants

MUTANTS = Mutants()

Vectors = Sequence[NewVector]


@MUTANTS.add("adopting always drops the vectors", trips={"adopting_again_changes_nothing"})
class AlwaysDrops(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.shelf.model = None
        super().adopt()


@MUTANTS.add("models are known by name", trips={"another_model_is_refused"})
class ComparesNames(InMemoryVectors):
    """Takes a model of the same name for the same."""

    def _kept(self) -> dict[UUID, Vector | None]:
        kept = self.observations.shelf.model
        if kept is not None and kept.name == self.model.name:
            return self.observations.shelf.vectors
        return super()._kept()


@MUTANTS.add("the first of several vectors is kept", trips={"a_vector_is_replaced"})
class KeepsTheFirst(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put(list({each.id: each for each in reversed(vectors)}.values()))


@MUTANTS.add("vectors of any length are kept", trips={"another_dimension_is_refused"})
class CutsOrFills(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put([evolve(each, vector=each.vector and self.fitted(each.vector)) for each in vectors])

    def fitted(self, vector: Vector) -> Vector:
        dimension = self.model.dimension
        return Vector((vector.components + bytes(dimension))[:dimension])

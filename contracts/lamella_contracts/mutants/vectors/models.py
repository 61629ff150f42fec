"""Faults in the model or project of stored vectors."""

from collections.abc import Sequence
from uuid import UUID

from attrs import evolve

from lamella.domain.embeddings.vector import Vector
from lamella.ports.storage.vectors import NewVector
from lamella_adapters.memory.vectors import InMemoryVectors
from lamella_contracts.mutants.broken_storage import storage_mutants

MUTANTS = storage_mutants()


Vectors = Sequence[NewVector]


@MUTANTS.add("adopting the same model drops its vectors", "adopting_again_changes_nothing")
class AlwaysDrops(InMemoryVectors):
    def adopt(self) -> None:
        self.observations.data.model = None
        super().adopt()


@MUTANTS.add("models are compared by name only", "another_model_is_refused")
class ComparesNames(InMemoryVectors):
    """Takes a model of the same name for the same."""

    def _kept(self) -> dict[UUID, Vector | None]:
        kept = self.observations.data.model
        if kept is not None and kept.name == self.model.name:
            return self.observations.data.vectors
        return super()._kept()


@MUTANTS.add("the first of several vectors of one id wins", "a_vector_is_replaced")
class KeepsTheFirst(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put(list({each.id: each for each in reversed(vectors)}.values()))


@MUTANTS.add("vectors are cut or padded to the dimension of the model", "another_dimension_is_refused")
class CutsOrFills(InMemoryVectors):
    def put(self, vectors: Vectors) -> None:
        super().put([evolve(each, vector=each.vector and self.fitted(each.vector)) for each in vectors])

    def fitted(self, vector: Vector) -> Vector:
        dimension = self.model.dimension
        return Vector((vector.components + bytes(dimension))[:dimension])

"""Vectors of observations: decide on the project's model, and on the vectors to store."""

from collections.abc import Sequence
from uuid import UUID

from attrs import frozen

from lamella.domain.embeddings.errors import OtherModelError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.observation import Observation, content_digest
from lamella.domain.transactions.look import Facts, Look
from lamella.domain.transactions.other_writes import AdoptModel, PutVectors
from lamella.domain.transactions.plan import Plan


@frozen(kw_only=True)
class NewVector:
    """Vector of an observation on its way to storage.

    Attributes:
        id: Id of the observation.
        digest: Digest of the embedded content; see `lamella.domain.memories.observation.content_digest`.
        vector: The vector; None if there is nothing to embed.
    """

    id: UUID
    digest: bytes
    vector: Vector | None

    @classmethod
    def of(cls, observation: Observation, vector: Vector | None) -> "NewVector":
        """Return the vector of an observation together with the digest of its embedded content."""
        return cls(id=observation.id, digest=content_digest(observation.content), vector=vector)


def require_adopted(model: EmbeddingModel, adopted: EmbeddingModel | None) -> None:
    """Check that a project's vectors are of this model.

    Raises:
        OtherModelError: The project has another model, or no model yet.
    """
    if adopted != model:
        raise OtherModelError(kept=None if adopted is None else adopted.name, asked=model.name)


def decide_adoption(model: EmbeddingModel, facts: Facts) -> tuple[Plan, None]:
    """Make `model` the project's model, and drop the vectors of its former model; see `VectorIndex.adopt`."""
    return () if facts.model == model else (AdoptModel(model),), None


def look_for_vectors(vectors: Sequence[NewVector]) -> Look:
    """List the facts that `decide_vectors` needs."""
    return Look(model=True, observations=tuple(dict.fromkeys(each.id for each in vectors)))


def decide_vectors(model: EmbeddingModel, vectors: Sequence[NewVector], facts: Facts) -> tuple[Plan, None]:
    """Plan to store vectors. Skip observations that changed after the embedding; see `VectorIndex.put`.

    Raises:
        OtherModelError: The project has another model, or no model yet.
    """
    require_adopted(model, facts.model)
    digests = {id: content_digest(said.content) for id, said in facts.observations.items()}
    return (PutVectors({each.id: each.vector for each in vectors if digests.get(each.id) == each.digest}),), None

"""Storage of vectors, and search for the nearest vectors."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Protocol
from uuid import UUID

from attrs import field, frozen

from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.transactions import embedding
from lamella.domain.transactions.embedding import NewVector
from lamella.domain.transactions.look import Look
from lamella.ports.storage.transaction import Transactional

__all__ = ["Coverage", "Nearest", "NewVector", "VectorIndex"]


@frozen(kw_only=True)
class Coverage:
    """Progress of embedding a project's live observations.

    Attributes:
        embedded: Number of observations processed by the embedder.
        total: Number of live observations.
    """

    embedded: int
    total: int

    @property
    def pending(self) -> int:
        """Number of observations not yet embedded."""
        return self.total - self.embedded


@frozen(kw_only=True)
class Nearest:
    """Observations nearest to a vector.

    Attributes:
        hits: The nearest observations, best first.
        similarities: Cosines of the compared observations, keyed by id. Observations without a vector are left
            out.
    """

    hits: tuple[Hit, ...] = ()
    similarities: Mapping[UUID, float] = field(factory=dict)


class VectorIndex(Transactional, Protocol):
    """Vectors of one project's observations, computed by one model.

    A project has vectors of one model at a time: the model adopted last. All methods except `adopt` raise
    `OtherModelError` if another model was adopted, or if no model was adopted.

    Attributes:
        model: The model.
    """

    model: EmbeddingModel

    def adopt(self) -> None:
        """Make this model the project's model, and delete vectors of other models.

        Repeated calls change nothing.
        """
        look = Look(model=True)
        # Usually the model is already adopted, so check that without locking first.
        if self.look(look).model != self.model:
            self.transact(look, partial(embedding.decide_adoption, self.model))

    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """Return at most `limit` live observations to embed: notes first, then the newest."""
        facts = self.look(Look(model=True, unembedded=limit))
        embedding.require_adopted(self.model, facts.model)
        return facts.unembedded

    def vectors(self, ids: Collection[UUID]) -> Mapping[UUID, Vector]:
        """Return the stored vectors, keyed by the ids of their observations, purged or not.

        Observations without a vector are left out.
        """
        facts = self.look(Look(model=True, vectors=tuple(ids)))
        embedding.require_adopted(self.model, facts.model)
        return facts.vectors

    def put(self, vectors: Sequence[NewVector]) -> None:
        """Store vectors in one transaction, replacing earlier vectors.

        A vector is ignored if its observation is missing. A vector is also ignored if the digest of the
        observation's content has changed; the observation then stays pending. Purging an observation keeps its
        vector, erasing deletes it.

        Args:
            vectors: Vectors to store. Of several vectors for one observation, the last is stored.

        Raises:
            InvalidValueError: The dimension of a vector differs from the model's.
        """
        for vector in filter(None, (each.vector for each in vectors)):
            self.model.require(vector)
        self.transact(embedding.look_for_vectors(vectors), partial(embedding.decide_vectors, self.model, vectors))

    @abstractmethod
    def nearest(self, vector: Vector, query: RecallQuery, *, compared: Collection[UUID] = ()) -> Nearest:
        """Return the observations with the most similar vectors, and the similarities of `compared`.

        The score of a hit is `Vector.cosine`, and its match is `Match.MEANING`. Among equal scores, the newest
        save comes first.

        Args:
            vector: A vector of the model.
            query: Limit and filters, applied before choosing the nearest observations. The selector of the query
                is ignored. Purged observations follow all live observations.
            compared: Ids of observations to compare, purged or not, regardless of the other arguments.

        Raises:
            InvalidValueError: The dimension of `vector` differs from the model's.
        """

    @abstractmethod
    def coverage(self) -> Coverage:
        """Return the progress of embedding. Purged observations don't count."""

"""Storage of vectors, and search for the nearest."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol
from uuid import UUID

from attrs import field, frozen

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.observation import Observation, content_digest
from lamella.domain.memories.query import Filters, Hit


@frozen(kw_only=True)
class NewVector:
    """Vector of an observation on its way to storage.

    Attributes:
        id: Id of the observation.
        digest: Digest of the content that was embedded, by `lamella.domain.memories.observation.content_digest`.
        vector: The vector; None if there is nothing to embed.
    """

    id: UUID
    digest: bytes
    vector: Vector | None

    @classmethod
    def of(cls, observation: Observation, vector: Vector | None) -> "NewVector":
        """Return the vector of an observation as it was when it was embedded."""
        return cls(id=observation.id, digest=content_digest(observation.content), vector=vector)


@frozen(kw_only=True)
class Coverage:
    """Progress of embedding a project's live observations.

    Attributes:
        embedded: Number of observations that the embedder has seen.
        total: Number of all live observations.
    """

    embedded: int
    total: int

    @property
    def pending(self) -> int:
        """Number of observations that the embedder has not seen yet."""
        return self.total - self.embedded


@frozen(kw_only=True)
class Nearest:
    """Answer about what is near a vector.

    Attributes:
        hits: The nearest observations, best first.
        similarities: Cosines of the observations that were compared, by id. Those without a vector are left out.
    """

    hits: tuple[Hit, ...] = ()
    similarities: Mapping[UUID, float] = field(factory=dict)


class VectorIndex(Protocol):
    """Vectors of one project's observations, made by one model.

    A project keeps the vectors of one model at a time: the one adopted last. All methods but `adopt` raise
    `OtherModelError` if the stored vectors are of another model, or if none was adopted yet.
    """

    @abstractmethod
    def adopt(self) -> None:
        """Keep vectors of this model from now on, and drop those of another. Adopting it again changes nothing."""

    @abstractmethod
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """Return at most `limit` live observations that were not `put` yet, the latest saved first."""

    @abstractmethod
    def put(self, vectors: Sequence[NewVector]) -> None:
        """Store vectors in one transaction, and replace what was put before.

        A vector is ignored if the project doesn't have its observation, or if the content of that has another
        digest by now; the latter stays pending. A vector is kept while its observation is purged, and deleted
        when that is erased.

        Args:
            vectors: The vectors. Of several for one observation the last counts.

        Raises:
            InvalidValueError: A vector has another dimension than the model.
        """

    @abstractmethod
    def nearest(
        self,
        vector: Vector,
        *,
        limit: int,
        filters: Filters,
        include_purged: bool = False,
        compared: Collection[UUID] = (),
    ) -> Nearest:
        """Return the observations whose vectors are most similar to a vector, and the similarity of some others.

        The score of a hit is `Vector.cosine`, its match `Match.MEANING`. Of equal scores the later saved comes
        first.

        Args:
            vector: A vector of the model.
            limit: Most hits.
            filters: Conditions on hits, applied before the nearest are chosen.
            include_purged: True if purged observations take part. They follow all live ones.
            compared: Ids of observations, purged or not, whose similarity is wanted whatever the other arguments.

        Raises:
            InvalidValueError: `vector` has another dimension than the model.
        """

    @abstractmethod
    def coverage(self) -> Coverage:
        """Return the progress of the embedder. Purged observations don't count."""

"""Storage of vectors, and search for the nearest."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

from attrs import frozen

from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters, Hit


@frozen(kw_only=True)
class Coverage:
    """Progress of embedding a project's live observations.

    Attributes:
        embedded: Number of observations that the embedder has seen.
        total: Number of all observations.
    """

    embedded: int
    total: int

    @property
    def pending(self) -> int:
        """Number of observations that the embedder has not seen yet."""
        return self.total - self.embedded


class VectorIndex(Protocol):
    """The vectors of one project's observations, of one model.

    A project keeps the vectors of one model at a time: the one adopted last. All methods but `adopt` raise
    `OtherModelError` where the vectors that are kept are of another model, or none was adopted yet.
    """

    __slots__ = ()

    @abstractmethod
    def adopt(self) -> None:
        """Keeps vectors of this model from now on; those of another are dropped. Again it changes nothing."""

    @abstractmethod
    def pending(self, *, limit: int) -> tuple[Observation, ...]:
        """At most `limit` live observations that `put` has not been told of, the latest saved first."""

    @abstractmethod
    def put(self, vectors: Mapping[Observation, Vector | None]) -> None:
        """Keeps the vector of each observation, or that it has none; one transaction.

        What was put before is replaced. An observation that the project doesn't have, or whose content has changed
        since it was read, is passed over: the latter stays pending. A vector is kept while its observation is
        purged, and goes for good when it is erased.

        Raises:
            InvalidValueError: a vector has another dimension than the model.
        """

    @abstractmethod
    def nearest(
        self, vector: Vector, *, limit: int, filters: Filters, include_purged: bool = False
    ) -> tuple[Hit, ...]:
        """The `limit` observations that pass `filters` whose vectors are most similar to `vector`, best first.

        Their score is `Vector.cosine`, their match `Match.MEANING`; equal scores: the later saved first. The
        filters narrow before the nearest are chosen. Purged ones follow all live hits, where they take part.

        Raises:
            InvalidValueError: `vector` has another dimension than the model.
        """

    @abstractmethod
    def similarities(self, vector: Vector, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        """The cosine of `vector` and the vector of each of `ids`, purged or not; who has none is left out.

        Raises:
            InvalidValueError: `vector` has another dimension than the model.
        """

    @abstractmethod
    def coverage(self) -> Coverage:
        """Return the progress of the embedder. Purged observations don't count."""

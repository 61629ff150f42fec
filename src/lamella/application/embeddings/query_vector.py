"""Search by meaning with the configured embedder, if it is ready."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from uuid import UUID

from attrs import define, evolve, frozen

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.embed import embed_batch
from lamella.application.embeddings.readiness import NotReadyError, answering
from lamella.application.projects.context import ProjectContext
from lamella.domain.embeddings.calibration import Calibration
from lamella.domain.embeddings.errors import SemanticSearchUnavailableError
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.domain.search.alike import NEIGHBOURS
from lamella.domain.search.weights import Feature
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import Coverage, Nearest, VectorIndex

PENDING_SHARE = 0.1
"""Maximum share of memories without vectors.

A ranking by meaning hides memories without vectors.
"""

PENDING_FEW = 8
"""If at most this number of memories have no vector, they are embedded while the question waits."""

_SOON = "Try again in a few seconds."


@frozen
class Question:
    """An embedded question.

    Attributes:
        index: Index to search.
        vector: Vector of the question.
        calibration: Calibration of the model's cosines.
        notice: Short notice if some memories can't be found yet; otherwise empty.
    """

    index: VectorIndex
    vector: Vector
    calibration: Calibration
    notice: str = ""

    def nearest(self, query: RecallQuery, compared: Collection[UUID] = ()) -> Nearest:
        """Return the nearest memories that pass the filters of `query`. Its selector is ignored.

        Args:
            query: Query with limit and filters.
            compared: Ids of further memories to compare with the question.

        Raises:
            NotReadyError: The index can't answer.
        """
        with answering():
            return self.index.nearest(self.vector, query, compared=compared)

    def alike(self, query: RecallQuery, *, explain: bool = False) -> tuple[Hit, ...]:
        """Return the nearest memories, nearest first. The strength of a hit is its similarity, from 0 to 1.

        Args:
            query: Query with limit and filters.
            explain: True to add features to hits.

        Raises:
            NotReadyError: The index can't answer.
        """
        hits = self.nearest(query).hits
        alike = [self.calibration.percent(hit.score or 0.0) / 100 for hit in hits]
        if explain:
            hits = tuple(
                evolve(hit, features={Feature.MEANING: hit.score or 0.0}, likeness=each)
                for hit, each in zip(hits, alike, strict=True)
            )
        return tuple(evolve(hit, strength=each) for hit, each in zip(hits, alike, strict=True))


@define
class Meaning:
    """Embed questions with the configured embedder, if any."""

    embedding: Embedding | None

    def require(self) -> Embedding:
        """Return the embedder.

        Raises:
            SemanticSearchUnavailableError: No embedder is configured.
        """
        if self.embedding is None:
            raise SemanticSearchUnavailableError
        return self.embedding

    def question(self, here: ProjectContext, text: str) -> Question:
        """Embed the question `text` for a search among the memories of a project.

        Args:
            here: An existing project, with its storage.
            text: The question.

        Raises:
            SemanticSearchUnavailableError: No embedder is configured.
            NotReadyError: Search by meaning isn't available now, or isn't available for this project.
        """
        embedding = self.require()
        with answering():
            embedder, index, notice = _ready(embedding, here)
            vector = embedder.embed_query(text)
            if vector is None:
                raise NotReadyError("no word to embed", "Use other words.")
            return Question(index, vector, embedding.calibration, notice)

    def vectors(self, here: ProjectContext, ids: Collection[UUID]) -> Mapping[UUID, Vector]:
        """Return the stored vectors of memories, keyed by memory id.

        The result is empty if search by meaning isn't available for this project. It is also empty for few ids,
        because comparing few memories isn't worth loading the model.
        """
        # Don't load the model for few memories.
        if len(ids) > NEIGHBOURS:
            with suppress(NotReadyError), answering():
                return _ready(self.require(), here)[1].vectors(ids)
        return {}


def _ready(embedding: Embedding, here: ProjectContext) -> tuple[Embedder, VectorIndex, str]:
    """Return the embedder, the project's index, and a notice if some memories aren't embedded yet.

    Raises:
        NotReadyError: The embedder is loading, or too many memories aren't embedded yet.
    """
    if here.key not in embedding.adopted:
        embedding.want(here)
    embedder = embedding.embedder
    if embedder is None or here.key not in embedding.adopted:
        raise _not_yet(embedding, here, "the embedder is loading")
    index = here.vectors(embedder.model)
    coverage = index.coverage()
    if 0 < coverage.pending <= PENDING_FEW:
        embed_batch(embedder, index)
        coverage = index.coverage()
    embedding.pending[here.key] = coverage.pending
    return embedder, index, _notice(embedding, coverage, here)


def _notice(embedding: Embedding, coverage: Coverage, here: ProjectContext) -> str:
    """Return a notice if not all memories are embedded, else an empty text.

    Raises:
        NotReadyError: Too many memories aren't embedded yet.
    """
    if not coverage.pending:
        return ""
    embedding.want(here)
    so_far = _not_yet(embedding, here, f"{coverage.embedded} of {coverage.total} memories embedded")
    if coverage.pending > PENDING_SHARE * coverage.total:
        raise so_far
    return so_far.reason


def _not_yet(embedding: Embedding, here: ProjectContext, reason: str) -> NotReadyError:
    """Return the reason why search by meaning doesn't work yet.

    This is the error of the embedder, or the latest error in embedding the project. If there was no error, return
    `reason` with the advice to wait.
    """
    return embedding.failure or embedding.troubles.get(here.key) or NotReadyError(reason, _SOON)

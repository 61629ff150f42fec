"""The retriever by meaning, if an embedder is configured and ready."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from attrs import define, frozen

from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.embed import embed_batch
from lamella.application.embeddings.readiness import NotReadyError, answering
from lamella.application.projects.resolver import Here
from lamella.domain.embeddings.calibration import Calibration
from lamella.domain.embeddings.vector import Vector
from lamella.domain.memories.query import Hit, RecallQuery
from lamella.ports.storage.vectors import VectorIndex

NO_EMBEDDER = "no embedder"
"""Why search by meaning can't answer where none is configured."""

PENDING_SHARE = 0.1
"""Largest share of memories without vectors: beyond, ranking by meaning would hide the rest."""

PENDING_FEW = 8
"""So many memories are embedded while the question waits: those that were saved since the last one."""

_SOON = "Try again in a few seconds."


@frozen
class Question:
    """A question as a direction, the index in which to look for what lies near it, and how to read the nearness.

    `notice` says in a few words which memories it can't find yet; empty where it can find all.
    """

    index: VectorIndex
    vector: Vector
    calibration: Calibration
    notice: str = ""

    def nearest(self, query: RecallQuery) -> tuple[Hit, ...]:
        """The nearest memories that pass the filters of `query`, whatever it selects.

        Raises:
            NotReadyError: the index cannot tell.
        """
        with answering():
            return self.index.nearest(
                self.vector, limit=query.limit, filters=query.filters, include_purged=query.include_purged
            )

    def similarities(self, ids: Sequence[UUID]) -> Mapping[UUID, float]:
        """Return the cosine of each of these memories that has a vector.

        Raises:
            NotReadyError: the index cannot tell.
        """
        with answering():
            return self.index.similarities(self.vector, ids)


@define
class Meaning:
    """Embed questions. `embedding` is None if no embedder is configured."""

    embedding: Embedding | None

    def question(self, here: Here, text: str) -> Question:
        """`text` as a direction among the memories of a project.

        Raises:
            NotReadyError: not now, or not in this project.
        """
        if self.embedding is None:
            raise NotReadyError(NO_EMBEDDER)
        if here.project is None:
            raise NotReadyError("nothing is saved yet")
        with answering():
            return _question(self.embedding, here, here.project.id, text)


def _question(embedding: Embedding, here: Here, project: str, text: str) -> Question:
    if project not in embedding.adopted:
        embedding.want(project, here)
    embedder = embedding.embedder
    if embedder is None or project not in embedding.adopted:
        raise _not_yet(embedding, project, "the embedder is loading")
    index = here.vectors(embedder.model)
    notice = _pending(embedding, index, project, here)
    vector = embedder.embed_query(text, here.search.rarities)
    if vector is None:
        raise NotReadyError("no word to embed", "Use other words.")
    return Question(index, vector, embedding.calibration, notice)


def _pending(embedding: Embedding, index: VectorIndex, project: str, here: Here) -> str:
    """Return a notice if not all memories are embedded, else an empty text.

    Raises:
        NotReadyError: too many are not.
    """
    coverage = index.coverage()
    if embedding.embedder is not None and 0 < coverage.total - coverage.embedded <= PENDING_FEW:
        embed_batch(embedding.embedder, index)
        coverage = index.coverage()
    pending = coverage.total - coverage.embedded
    if not pending:
        return ""
    embedding.want(project, here)
    so_far = _not_yet(embedding, project, f"{coverage.embedded} of {coverage.total} memories embedded")
    if pending > PENDING_SHARE * coverage.total:
        raise so_far
    return so_far.reason


def _not_yet(embedding: Embedding, project: str, reason: str) -> NotReadyError:
    """It takes a moment for this `reason`, or there is trouble, or there will never be an embedder here."""
    return embedding.failure or embedding.troubles.get(project) or NotReadyError(reason, _SOON)

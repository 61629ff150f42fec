"""Embed memories, batch by batch."""

import logging
from collections.abc import Callable, Iterator, Sequence

from attrs import define, frozen

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.embeddings.errors import InvalidVectorError, SemanticSearchUnavailableError
from lamella.domain.embeddings.vector import EmbeddingModel, Vector
from lamella.domain.search.indexing import embedded_text
from lamella.ports.embedder import Embedder
from lamella.ports.storage.vectors import Coverage, NewVector, VectorIndex

_logger = logging.getLogger(__name__)

BATCH = 64
"""Number of memories to embed and store at a time. If the process is killed, at most one batch is lost."""


OpenEmbedder = Callable[[], Embedder]
"""Function that opens the configured embedder. It loads the model, which is slow.

Raises `EmbedderUnavailableError` if the embedder can't be used.
"""


@frozen
class Embedded:
    """Progress of embedding the memories of a project with the configured model."""

    model: EmbeddingModel
    coverage: Coverage


@define
class EmbedMemories:
    """Embed every memory of a project. An interrupted run resumes."""

    projects: ProjectResolver
    open_embedder: OpenEmbedder | None

    def __call__(self, call: Call) -> Iterator[Embedded]:
        """Embed batch by batch. Yield the progress at the beginning and after each batch.

        Raises:
            SemanticSearchUnavailableError: No embedder is configured.
            EmbedderUnavailableError: The embedder cannot be used.
            OtherModelError: Another process has meanwhile adopted another model.
            CapabilityUnsupportedError: The storage keeps no vectors.
        """
        if self.open_embedder is None:
            raise SemanticSearchUnavailableError
        embedder, here = self.open_embedder(), self.projects.find(call)
        index = here.vectors(embedder.model)
        index.adopt()
        yield Embedded(embedder.model, index.coverage())
        while embed_batch(embedder, index):
            yield Embedded(embedder.model, index.coverage())


def embed_batch(embedder: Embedder, index: VectorIndex) -> int:
    """Embed a batch of pending observations. Return the number of embedded observations."""
    pending = index.pending(limit=BATCH)
    if pending:
        vectors = _vectors(embedder, [embedded_text(each) for each in pending])
        index.put(list(map(NewVector.of, pending, vectors)))
    return len(pending)


def _vectors(embedder: Embedder, texts: Sequence[str]) -> Sequence[Vector | None]:
    """Return the vector of each text; None for a text without words, or with an unusable vector.

    Raises:
        InvalidVectorError: There are several texts, and all vectors are unusable.
    """
    filled = [text for text in texts if text]
    try:
        made = iter(embedder.embed(filled))
    except InvalidVectorError:
        one_by_one = [_vector(embedder, text) for text in filled]
        if len(filled) > 1 and not any(one_by_one):
            raise
        made = iter(one_by_one)
    return [next(made) if text else None for text in texts]


def _vector(embedder: Embedder, text: str) -> Vector | None:
    try:
        return embedder.embed([text])[0]
    except InvalidVectorError:
        # Skip the text: an error would block the embedding of all others, at every retry.
        _logger.warning("The embedder failed on one memory; search finds it by its words only")
        return None

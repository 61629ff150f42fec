"""Embedding of texts as vectors.

An adapter is registered in the group `lamella.embedder` as a callable. It takes the setting, such as
`onnx:/models/minilm`, and returns an `Embedder`.

The group `lamella.default_embedder` has two callables. `installed` takes the data directory. It returns the
setting of the default embedder, or None if this embedder isn't installed. `fetch` takes the data directory and a
source, or None for any source. It downloads the model of the default embedder and returns the model's folder.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from lamella.domain.embeddings.vector import EmbeddingModel, Vector


class Embedder(Protocol):
    """Model that turns texts into vectors. Creating an embedder loads its model, which takes time and memory.

    Several threads may call an embedder simultaneously.

    Example:
        >>> class Vowels(Embedder):
        ...     model = EmbeddingModel("vowels-1", dimension=2)
        ...     def embed(self, texts):
        ...         return tuple(map(self.embed_query, texts))
        ...     def embed_query(self, text):
        ...         counts = [text.count("a"), text.count("e")]
        ...         return Vector.of(counts) if any(counts) else None
        >>> banana, apes, sky = Vowels().embed(["banana", "apes", "sky"])
        >>> round(banana.cosine(apes), 2), sky
        (0.71, None)
    """

    @property
    @abstractmethod
    def model(self) -> EmbeddingModel:
        """Name and dimension of the model. Models that compute different vectors must have different names."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        """Embed texts of memories.

        The vector of a text is independent of the other texts.

        Args:
            texts: Any texts, including empty texts and texts with lone surrogates.

        Returns:
            A vector for each text, in order; None for a text without embeddable words.

        Raises:
            InvalidVectorError: The model returned an unusable vector.
        """

    @abstractmethod
    def embed_query(self, text: str) -> Vector | None:
        """Embed a query.

        Args:
            text: The query. Any text is valid.

        Returns:
            The vector of the query; None for a query without embeddable words.

        Raises:
            InvalidVectorError: The model returned an unusable vector.
        """

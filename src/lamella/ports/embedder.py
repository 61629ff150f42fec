"""Embedding of texts as vectors.

An adapter is registered in the group `lamella.embedder` as a callable that takes the setting, such as
`onnx:/models/minilm`, and returns an `Embedder`.

In the group `lamella.default_embedder`, `installed` is a callable that takes the data directory and returns the
setting of the embedder to use where none was chosen, or None. `fetch` takes the data directory and a source, or
None for any; it fetches the model of that embedder and returns its folder.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from lamella.domain.embeddings.vector import EmbeddingModel, Vector


class Embedder(Protocol):
    """Turns texts into vectors of one model. Creating it loads the model, which takes time and memory.

    It may be called from several threads at once.
    """

    @property
    @abstractmethod
    def model(self) -> EmbeddingModel:
        """Name and dimension of the model. The name changes whenever the vectors of a text would."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        """Embed texts to be remembered.

        A text gets the same vector whatever it is embedded together with.

        Args:
            texts: Any texts: empty ones, and ones with lone surrogates, too.

        Returns:
            A vector for each text, in order; None if a text has no word that can be embedded.

        Raises:
            InvalidVectorError: The model makes an unusable vector of one of them.
        """

    @abstractmethod
    def embed_query(self, text: str) -> Vector | None:
        """Embed a question.

        Args:
            text: Any text.

        Returns:
            Its vector; None if it has no word that can be embedded.

        Raises:
            InvalidVectorError: The model makes an unusable vector of it.
        """

"""Embedding of texts as vectors."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from lamella.domain.embeddings.vector import EmbeddingModel, Vector

Rarities = Callable[[Sequence[str]], Sequence[float]]
"""Returns the rarity of each word in a project: 0 for an unknown one, else the higher the rarer."""


class Embedder(Protocol):
    """Turns texts into vectors of one model. Making one loads the model, which takes time and memory."""

    __slots__ = ()

    @property
    @abstractmethod
    def model(self) -> EmbeddingModel:
        """Name and dimension of what makes the vectors; the name changes whenever the vectors would."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> tuple[Vector | None, ...]:
        """The vector of each text to be remembered; None where it has no word that can be embedded.

        A text gets the same vector whatever it is embedded together with.
        """

    @abstractmethod
    def embed_query(self, text: str, rarities: Rarities) -> Vector | None:
        """The vector of a question, None where it has no word that can be embedded.

        An embedder that knows nothing of how words work together weights them by `rarities`.
        """

"""Size of texts in tokens."""

from abc import abstractmethod
from typing import Protocol


class Tokenizer(Protocol):
    """Counter of tokens, the unit of every budget.

    Equal texts have equal counts. An empty text has 0 tokens, any other at least 1. Any string is valid, even with
    lone surrogates.
    """

    __slots__ = ()

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of tokens in `text`, exact or estimated."""

"""Size of texts in tokens."""

from abc import abstractmethod
from typing import Protocol


class Tokenizer(Protocol):
    """Counter of tokens, the unit of every budget.

    Equal texts have equal counts. An empty text has 0 tokens, any other at least 1. Any string is valid, even with
    lone surrogates.

    Example:
        >>> class Words(Tokenizer):
        ...     def count(self, text):
        ...         return len(text.split()) or int(text != "")
        >>> Words().count("Staging is reset."), Words().count(" "), Words().count("")
        (3, 1, 0)
    """

    __slots__ = ()

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of tokens in `text`, exact or estimated."""

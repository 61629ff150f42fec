"""Size of texts in tokens."""

from abc import abstractmethod
from typing import Protocol


class Tokenizer(Protocol):
    """Counter of tokens, the unit of every budget.

    Counting is pure: equal texts always count the same. `count("")` is 0, any other text counts at least 1,
    and no string raises, lone surrogates included.
    """

    __slots__ = ()

    @abstractmethod
    def count(self, text: str) -> int:
        """Return the number of tokens in `text`, an estimate or exact."""

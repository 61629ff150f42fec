"""Where new ids come from."""

from abc import abstractmethod
from typing import Protocol
from uuid import UUID


class IdSource(Protocol):
    """Makes ids that nobody has used."""

    __slots__ = ()

    @abstractmethod
    def new(self) -> UUID:
        """A fresh UUID, version 4."""

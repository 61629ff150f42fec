"""What the machine gives: the time and new ids."""

from abc import abstractmethod
from datetime import datetime, tzinfo
from typing import Protocol
from uuid import UUID


class Clock(Protocol):
    """The present."""

    __slots__ = ()

    @abstractmethod
    def now(self) -> datetime:
        """This moment, aware, in UTC."""

    @abstractmethod
    def zone(self) -> tzinfo:
        """The zone in which dates are shown to the user."""


class IdSource(Protocol):
    """Makes ids that nobody has used."""

    __slots__ = ()

    @abstractmethod
    def new(self) -> UUID:
        """A fresh UUID, version 4."""

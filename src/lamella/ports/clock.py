"""What time it is, and how people here write it."""

from abc import abstractmethod
from datetime import datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """The present."""

    __slots__ = ()

    @abstractmethod
    def now(self) -> datetime:
        """This moment, aware, in UTC."""

    @abstractmethod
    def zone(self) -> tzinfo:
        """The zone in which dates are shown to the user."""

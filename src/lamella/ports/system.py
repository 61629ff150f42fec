"""Clock and id of the machine, and source of new ids."""

from abc import abstractmethod
from datetime import datetime, tzinfo
from typing import Protocol
from uuid import UUID


class Clock(Protocol):
    """Clock of the machine."""

    @abstractmethod
    def now(self) -> datetime:
        """Return the current time in UTC, as an aware datetime."""

    @abstractmethod
    def zone(self) -> tzinfo:
        """Return the time zone of the machine."""


class IdSource(Protocol):
    """Source of unused ids."""

    @abstractmethod
    def new(self) -> UUID:
        """Return a new UUID, version 4."""


class Machine(Protocol):
    """The machine of a process."""

    @abstractmethod
    def user(self) -> str | None:
        """Return the name of the user that runs the process; None if unknown."""

    @abstractmethod
    def id(self) -> str:
        """Return the random id of this machine and user, the same in every process.

        Raises:
            StorageError: The id can't be read or written.
        """

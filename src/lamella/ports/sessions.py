"""Which conversation this is."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Knows the session that the present call belongs to."""

    __slots__ = ()

    @abstractmethod
    def current(self) -> str:
        """The id of the present session; asked at each call, because a client may begin a new one."""

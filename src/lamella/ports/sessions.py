"""Lookup of the client session that a call belongs to."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Source of the current session id."""

    @abstractmethod
    def current(self) -> str:
        """Return the id of the client's current session.

        Call this method at each call of a tool, because a client may begin a new session at any time.
        """

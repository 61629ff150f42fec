"""Identity of the current conversation."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Identity of a call's session."""

    @abstractmethod
    def current(self) -> str:
        """Return the id of the current session.

        Call this method at each call of a tool, because a client may begin a new session at any time.
        """

"""Identity of the current conversation."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Identity of a call's session."""

    @abstractmethod
    def current(self) -> str:
        """Return the id of the current session. Ask at each call, as a client may begin a new one at any time."""

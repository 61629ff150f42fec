"""Identity of the present conversation."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Identity of the session that a call belongs to."""

    @abstractmethod
    def current(self) -> str:
        """Return the id of the present session. Asked at each call: a client may begin a new one at any time."""

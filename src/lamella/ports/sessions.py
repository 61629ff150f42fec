"""Identity of the present conversation."""

from abc import abstractmethod
from typing import Protocol


class SessionIdentity(Protocol):
    """Identity of a call's session."""

    @abstractmethod
    def current(self) -> str:
        """Return the id of the present session. Called for each call: a client may begin a new one at any time."""

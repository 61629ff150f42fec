"""Recognising callers."""

from abc import abstractmethod
from typing import Protocol

from attrs import frozen

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.errors import LamellaError
from lamella.ports.storage.storage import DEFAULT_TENANT


@frozen(kw_only=True)
class RefusedError(LamellaError):
    """A request is refused for its credentials, or for their lack.

    Attributes:
        reason: What is wrong, in a sentence.
        status: HTTP status, 401 or 403.
        challenge: Value of the header `WWW-Authenticate`.
    """

    reason: str
    status: int
    challenge: str

    def __str__(self) -> str:
        return self.reason


class Authenticator(Protocol):
    """Recognises callers by their credentials."""

    @abstractmethod
    def grant(self, authorization: str | None) -> Grant:
        """Return what the sender of a header `Authorization` may do.

        Raises:
            RefusedError: Nothing.
        """


@frozen
class Everything(Authenticator):
    """Lets everybody do everything: for callers on this machine, where no tokens are set up."""

    def grant(self, authorization: str | None) -> Grant:
        """See `Authenticator.grant`."""
        del authorization
        return Grant(tenant=DEFAULT_TENANT, scopes=frozenset(Scope), name="anybody")

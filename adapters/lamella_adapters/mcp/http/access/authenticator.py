"""Interface of authentication, and its errors."""

from abc import abstractmethod
from typing import Protocol

from attrs import frozen

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.errors import AdvisedError, LamellaError


@frozen(kw_only=True)
class RefusedError(LamellaError):
    """Credentials are missing, invalid or insufficient.

    Attributes:
        reason: Error message with advice. Like the challenge, it quotes nothing from the request.
        status: HTTP status, 401 or 403.
        challenge: Value of the header `WWW-Authenticate`.
    """

    reason: str
    status: int
    challenge: str

    def __str__(self) -> str:
        return self.reason


class ProviderUnreachableError(AdvisedError):
    """The signing keys can't be fetched from the identity provider."""


class Authenticator(Protocol):
    """Authenticates callers. It may block, so call it in a worker thread."""

    @abstractmethod
    def grant(self, authorization: str | None) -> Grant:
        """Return the rights of a caller.

        Args:
            authorization: Value of the header `Authorization`; None without the header.

        Raises:
            RefusedError: The credentials are missing or invalid, or give no rights.
            ProviderUnreachableError: The identity provider is unavailable.
            StorageError: The storage is unavailable.
        """


@frozen
class Everything(Authenticator):
    """Gives every caller all rights, for a server that only this machine can reach.

    Attributes:
        tenant: Tenant of all callers.
    """

    tenant: str

    def grant(self, authorization: str | None) -> Grant:
        """See `Authenticator.grant`."""
        del authorization
        return Grant(tenant=self.tenant, scopes=frozenset(Scope), name="anybody")

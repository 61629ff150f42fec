"""Recognising callers."""

from abc import abstractmethod
from typing import Protocol

from attrs import frozen

from lamella.domain.access.grant import Grant, Scope
from lamella.domain.errors import AdvisedError, LamellaError


@frozen(kw_only=True)
class RefusedError(LamellaError):
    """A request is refused for its credentials, or for their lack.

    Attributes:
        reason: What is wrong, and what to do, in sentences. Like the challenge it repeats nothing of the request.
        status: HTTP status, 401 or 403.
        challenge: Value of the header `WWW-Authenticate`.
    """

    reason: str
    status: int
    challenge: str

    def __str__(self) -> str:
        return self.reason


class ProviderUnreachableError(AdvisedError):
    """The identity provider does not say which keys its tokens are signed with."""


class Authenticator(Protocol):
    """Recognises callers by their credentials. It may have to wait: ask it in a worker thread."""

    @abstractmethod
    def grant(self, authorization: str | None) -> Grant:
        """Return what the sender of a header `Authorization` may do.

        Args:
            authorization: Value of the header; None if there is none.

        Raises:
            RefusedError: The caller is not recognised, or has no right to anything.
            ProviderUnreachableError: The identity provider can't be asked at the moment.
            StorageError: The storage can't be asked at the moment.
        """


@frozen
class Everything(Authenticator):
    """Lets everybody do everything: for callers on this machine, where no tokens are set up.

    Attributes:
        tenant: Tenant of the storage, whose memories they work with.
    """

    tenant: str

    def grant(self, authorization: str | None) -> Grant:
        """See `Authenticator.grant`."""
        del authorization
        return Grant(tenant=self.tenant, scopes=frozenset(Scope), name="anybody")

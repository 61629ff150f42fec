"""Authentication, by bearer tokens of lamella or of an identity provider, and its errors (RFC 6750, RFC 9728)."""

import re
from abc import abstractmethod
from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from lamella.domain.access.errors import TokenInvalidError
from lamella.domain.access.grant import Grant, Scope
from lamella.domain.access.token import PREFIX
from lamella.domain.errors import AdvisedError, LamellaError

UNAUTHORIZED, FORBIDDEN = 401, 403

_ASKED_FOR = " ".join(Scope.WRITE.requested)
"""Scopes that a client should request. Administrators request more on their own."""

MAX_CHARACTERS = 16_384
"""Maximum length of the header `Authorization`. Longer headers are rejected."""

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)


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


@frozen
class Challenges:
    """Builder of authentication errors.

    Attributes:
        metadata_url: URL of the metadata that tells clients where to get a token; None without OAuth.
    """

    metadata_url: str | None = None

    def missing(self) -> RefusedError:
        """Return the error for a missing token. As RFC 6750 recommends, its challenge has no error code."""
        return self._refused(
            UNAUTHORIZED,
            {"scope": _ASKED_FOR} if self.metadata_url else {},
            "This server needs an access token: send the header `Authorization: Bearer TOKEN`."
            " Make one with: lamella token create",
        )

    def invalid(self, reason: str) -> RefusedError:
        """Return the error for an invalid token.

        Args:
            reason: Error message, which must not quote the token.
        """
        scope = {"scope": _ASKED_FOR} if self.metadata_url else {}
        return self._refused(
            UNAUTHORIZED, {"error": "invalid_token", "error_description": reason, **scope}, reason
        )

    def insufficient(self, needed: Scope) -> RefusedError:
        """Return the error for a valid token without the scope `needed`."""
        reason = f"This needs the scope {needed}, which the access token does not have."
        said = {"error": "insufficient_scope", "error_description": reason}
        return self._refused(FORBIDDEN, {**said, "scope": " ".join(needed.requested)}, reason)

    def _refused(self, status: int, said: dict[str, str], reason: str) -> RefusedError:
        where = {"resource_metadata": self.metadata_url} if self.metadata_url else {}
        parameters = {"realm": "lamella", **said, **where}
        challenge = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        return RefusedError(status=status, challenge=f"Bearer {challenge}", reason=reason)


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
    """Authenticator that gives every caller all rights, for a server that only this machine can reach.

    Attributes:
        tenant: Tenant of all callers.
    """

    tenant: str

    def grant(self, authorization: str | None) -> Grant:  # noqa: ARG002 - accepts every request
        """See `Authenticator.grant`."""
        return Grant(tenant=self.tenant, scopes=frozenset(Scope), name="anybody")


@frozen
class BearerAuthenticator(Authenticator):
    """Authenticator that checks the token in the header `Authorization`.

    Attributes:
        challenges: Builder of authentication errors.
        of_token: Returns the grant of one of our own access tokens.
        of_oauth: Returns the grant of an OAuth access token, or raises `RefusedError`; None without a provider.
    """

    challenges: Challenges
    of_token: Callable[[str], Grant]
    of_oauth: Callable[[str], Grant] | None = None

    def grant(self, authorization: str | None) -> Grant:
        """See `Authenticator.grant`."""
        if not authorization:
            raise self.challenges.missing()
        given = _BEARER.fullmatch(authorization) if len(authorization) <= MAX_CHARACTERS else None
        if given is None:
            raise self.challenges.invalid("The header Authorization must be 'Bearer', a space and a token.")
        token = given[1]
        if self.of_oauth is not None and not token.startswith(PREFIX):
            return self.of_oauth(token)
        try:
            return self.of_token(token)
        except TokenInvalidError as error:
            raise self.challenges.invalid(str(error)) from None

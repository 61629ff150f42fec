"""Authentication errors, with challenges for the header `WWW-Authenticate` (RFC 6750, RFC 9728)."""

from attrs import frozen

from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http.access.authenticator import RefusedError

UNAUTHORIZED, FORBIDDEN = 401, 403

_ASKED_FOR = " ".join(Scope.WRITE.requested)
"""Scopes that a client should request. Administrators request more on their own."""


@frozen
class Challenges:
    """Builds authentication errors.

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

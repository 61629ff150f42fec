"""Refusals of callers, and what the header `WWW-Authenticate` says of them (RFC 6750, RFC 9728)."""

from attrs import frozen

from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http.access.authenticator import RefusedError

UNAUTHORIZED, FORBIDDEN = 401, 403

_ASKED_FOR = " ".join(Scope.WRITE.requested)
"""Scopes that a client asks its user for: an administrator asks for more by themselves."""


@frozen
class Challenges:
    """Makes refusals.

    Attributes:
        metadata_url: Address of the metadata from which a client learns where to get a token; None without OAuth.
    """

    metadata_url: str | None = None

    def missing(self) -> RefusedError:
        """Return the refusal of a caller that sends no token. RFC 6750 wants no error code for it."""
        return self._refused(
            UNAUTHORIZED,
            {"scope": _ASKED_FOR} if self.metadata_url else {},
            "This server needs an access token: send the header `Authorization: Bearer TOKEN`."
            " Make one with: lamella token create",
        )

    def invalid(self, reason: str) -> RefusedError:
        """Return the refusal of a token.

        Args:
            reason: What is wrong with it, a sentence of ours.
        """
        scope = {"scope": _ASKED_FOR} if self.metadata_url else {}
        return self._refused(
            UNAUTHORIZED, {"error": "invalid_token", "error_description": reason, **scope}, reason
        )

    def insufficient(self, needed: Scope) -> RefusedError:
        """Return the refusal of a caller who is recognised and lacks a scope."""
        reason = f"This needs the scope {needed}, which the access token does not have."
        said = {"error": "insufficient_scope", "error_description": reason}
        return self._refused(FORBIDDEN, {**said, "scope": " ".join(needed.requested)}, reason)

    def _refused(self, status: int, said: dict[str, str], reason: str) -> RefusedError:
        where = {"resource_metadata": self.metadata_url} if self.metadata_url else {}
        parameters = {"realm": "lamella", **said, **where}
        challenge = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        return RefusedError(status=status, challenge=f"Bearer {challenge}", reason=reason)

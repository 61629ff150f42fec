"""Verification of OAuth access tokens: JSON Web Tokens (RFC 9068) from one identity provider."""

from collections.abc import Iterator, Mapping
from typing import Any

import jwt
from attrs import frozen

from lamella.domain.access.grant import Grant, Scope, scopes_named
from lamella.domain.text.printing import printed_line, stored_key
from lamella.domain.validation import InvalidValueError
from lamella_adapters.mcp.http.access.authenticator import Challenges
from lamella_adapters.mcp.http.access.settings import OAuthSettings
from lamella_adapters.mcp.http.access.signing_keys import ALGORITHMS, SigningKeys

_LEEWAY_SECONDS = 10
"""Tolerated difference between the clocks of provider and server."""

_TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})
"""Accepted values of `typ`. The provider signs other tokens, such as logout tokens, with the same keys."""

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (jwt.ExpiredSignatureError, "The access token has expired."),
    (jwt.ImmatureSignatureError, "The access token is not valid yet."),
    (jwt.InvalidAudienceError, "The access token is for another server."),
    (jwt.InvalidIssuerError, "The access token is of another identity provider."),
    (Exception, "The access token is not valid."),
)


@frozen
class OAuthTokens:
    """Verifier of an identity provider's access tokens.

    Attributes:
        settings: Settings of the provider.
        keys: Signing keys of the provider.
        challenges: Builder of authentication errors.
        tenant: Tenant of tokens if no claim names one.
    """

    settings: OAuthSettings
    keys: SigningKeys
    challenges: Challenges
    tenant: str

    def __call__(self, token: str) -> Grant:
        """Verify a token and return its grant.

        Raises:
            RefusedError: The token isn't valid for this server, or grants no scope of lamella.
            ProviderUnreachableError: The signing keys can't be fetched, and no keys are cached.
        """
        try:
            claims = self._verified(token)
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            reason = next(reason for kind, reason in _REASONS if isinstance(error, kind))
            raise self.challenges.invalid(reason) from None
        scopes = scopes_named(_scopes(claims))
        if not scopes:
            raise self.challenges.insufficient(Scope.READ)
        return self._grant(claims, scopes)

    def _verified(self, token: str) -> Mapping[str, Any]:
        """Return the claims of a token after checking its signature.

        Raises:
            jwt.PyJWTError: The token is invalid.
        """
        header = jwt.get_unverified_header(token)
        algorithm, kid, type_ = header.get("alg"), header.get("kid"), header.get("typ", "JWT")
        # Ignore keys and key URLs in the header (jwk, jku, x5c, x5u): a forged token could bring its own key.
        if algorithm not in ALGORITHMS or "crit" in header or str(type_).lower() not in _TYPES:
            raise jwt.InvalidAlgorithmError
        key = self.keys.find(kid, algorithm)
        if key is None:
            raise jwt.InvalidKeyError
        claims: Mapping[str, Any] = jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=self.settings.audience,
            issuer=self.settings.issuer,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        return claims

    def _grant(self, claims: Mapping[str, Any], scopes: frozenset[Scope]) -> Grant:
        subject, claim = str(claims["sub"]), self.settings.tenant_claim
        author = claims.get(self.settings.author_claim)
        if not subject.strip():
            raise self.challenges.invalid("The access token has no subject.")
        if not isinstance(author, str) or not author.strip():
            raise self.challenges.invalid("The access token names no user.")
        try:
            return Grant(
                tenant=self.tenant if claim is None else claims[claim],
                scopes=scopes,
                project=None,
                author=stored_key(author),
                name=f"subject {printed_line(stored_key(subject))}",
            )
        except (KeyError, InvalidValueError):
            nameless = "The access token names no tenant, or one with an invalid name."
            raise self.challenges.invalid(nameless) from None


def _scopes(claims: Mapping[str, Any]) -> Iterator[str]:
    """Yield the scopes of a token, from `scope` (RFC 9068) and `scp` (used by some providers)."""
    for name in ("scope", "scp"):
        given = claims.get(name)
        if isinstance(given, str):
            yield from given.split()
        elif isinstance(given, list):
            yield from (each for each in given if isinstance(each, str))

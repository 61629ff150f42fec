"""Access checks of a server: authentication, challenges, and OAuth metadata."""

from collections.abc import Callable, Sequence

from attrs import field, frozen
from starlette.routing import Route

from lamella.domain.access.grant import Grant
from lamella_adapters.mcp.http.access.authenticator import (
    Authenticator,
    BearerAuthenticator,
    Challenges,
    Everything,
)
from lamella_adapters.mcp.http.access.settings import OAuthSettings, metadata_routes, metadata_url
from lamella_adapters.mcp.http.rates import Rates, Refusals

REFUSED_A_SECOND = 10.0
"""Limit of rejected tokens per second and address owner. Bursts may have twice as many."""


@frozen
class Access:
    """Access checks of a server.

    Attributes:
        authenticator: Authenticates callers.
        challenges: Builder of the errors for missing, invalid and insufficient tokens.
        routes: Routes that need no token.
        refusals: Rate limit of rejected tokens.
    """

    authenticator: Authenticator
    challenges: Challenges
    routes: Sequence[Route]
    refusals: Refusals = field(factory=lambda: Refusals(Rates(REFUSED_A_SECOND)))


def access_to(grant_of: Callable[[str], Grant], tenant: str, oauth: OAuthSettings | None = None) -> Access:
    """Return the access checks of a server that requires tokens.

    Args:
        grant_of: Use case `Lamella.grant_of`.
        tenant: Tenant of OAuth tokens if no claim names one.
        oauth: Settings of the identity provider; None without a provider.
    """
    if oauth is None:
        challenges = Challenges()
        return Access(BearerAuthenticator(challenges, grant_of), challenges, ())
    # Importing cryptography is slow, and our own tokens don't need it.
    from lamella_adapters.mcp.http.access.oauth_tokens import OAuthTokens  # noqa: PLC0415
    from lamella_adapters.mcp.http.access.signing_keys import Provider, SigningKeys  # noqa: PLC0415

    challenges = Challenges(metadata_url(oauth))
    verified = OAuthTokens(oauth, SigningKeys(Provider(oauth.issuer).keys), challenges, tenant)
    return Access(BearerAuthenticator(challenges, grant_of, verified), challenges, metadata_routes(oauth))


def open_access(tenant: str) -> Access:
    """Return the access checks of a server that only this machine can reach: every caller has all rights.

    Args:
        tenant: Tenant of all callers.
    """
    return Access(Everything(tenant), Challenges(), ())

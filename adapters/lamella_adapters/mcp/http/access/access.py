"""Access to a server: who is recognised, how others are refused, and where they learn how to come in."""

from collections.abc import Callable, Sequence

from attrs import field, frozen
from starlette.routing import Route

from lamella.domain.access.grant import Grant
from lamella_adapters.mcp.http.access.authenticator import Authenticator, Everything
from lamella_adapters.mcp.http.access.bearer import BearerAuthenticator
from lamella_adapters.mcp.http.access.challenges import Challenges
from lamella_adapters.mcp.http.access.settings import OAuthSettings
from lamella_adapters.mcp.http.rates import Rates, Refusals

REFUSED_A_SECOND = 10.0
"""Refused tokens of one owner of addresses; twice as many at once."""


@frozen
class Access:
    """Parts with which a server lets callers in.

    Attributes:
        authenticator: Recognises callers.
        challenges: Makes refusals, such as of a caller who lacks a scope.
        routes: Routes that need no token.
        refusals: Bounds on refused tokens of each owner of addresses.
    """

    authenticator: Authenticator
    challenges: Challenges
    routes: Sequence[Route]
    refusals: Refusals = field(factory=lambda: Refusals(Rates(REFUSED_A_SECOND)))


def access_to(grant_of: Callable[[str], Grant], tenant: str, oauth: OAuthSettings | None = None) -> Access:
    """Return the access to a server whose callers have tokens of our own, or of an identity provider.

    Args:
        grant_of: The use case `Lamella.grant_of`.
        tenant: Tenant of the storage, whose memories the provider's tokens lead to where no claim names another.
        oauth: The identity provider, if there is one.
    """
    if oauth is None:
        challenges = Challenges()
        return Access(BearerAuthenticator(challenges, grant_of), challenges, ())
    # Imported here, because cryptography takes a while, and tokens of our own need none.
    from lamella_adapters.mcp.http.access.metadata import metadata_routes, metadata_url  # noqa: PLC0415
    from lamella_adapters.mcp.http.access.oauth_tokens import OAuthTokens  # noqa: PLC0415
    from lamella_adapters.mcp.http.access.provider import Provider  # noqa: PLC0415
    from lamella_adapters.mcp.http.access.signing_keys import SigningKeys  # noqa: PLC0415

    challenges = Challenges(metadata_url(oauth))
    verified = OAuthTokens(oauth, SigningKeys(Provider(oauth.issuer).keys), challenges, tenant)
    return Access(BearerAuthenticator(challenges, grant_of, verified), challenges, metadata_routes(oauth))


def open_access(tenant: str) -> Access:
    """Return the access to a server that nobody else can reach, where everybody may do everything.

    Args:
        tenant: Tenant whose memories these are.
    """
    return Access(Everything(tenant), Challenges(), ())

"""Settings of OAuth: the trusted identity provider, and the claims to read.

Protected resource metadata (RFC 9728) tells clients where to get a token for this server.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from attrs import Attribute, field, frozen
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lamella.domain.access.grant import Scope
from lamella.domain.validation import InvalidValueError, instance_of, is_text, not_blank
from lamella_adapters.process.urls import is_trustworthy

_NAMES = {name: f"LAMELLA_OAUTH_{name.upper()}" for name in ("issuer", "audience", "tenant_claim", "author_claim")}
"""Environment variables of the settings."""
_WELL_KNOWN = "/.well-known/oauth-protected-resource"
# Allow all origins. The metadata is public, and clients in browsers of any origin read it before they have a
# token.
_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=300"}


def _is_url(_instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    is_text(_instance, attribute, value)
    if not is_trustworthy(value):
        raise InvalidValueError(
            name=_NAMES[attribute.name],
            given=repr(value[:100]),
            allowed="an https URL without query and fragment; http for this machine only",
        )


@frozen(kw_only=True)
class OAuthSettings:
    """Settings of an identity provider.

    Attributes:
        issuer: Issuer URL, exactly as in the claim `iss` of its tokens.
        audience: Required audience of tokens: the public URL of this server, such as
            `https://memory.example.com/mcp`.
        tenant_claim: Claim with the tenant; tokens without it are rejected. None to use the storage's tenant.
        author_claim: Claim with the author of saved memories. Tokens without it are rejected, rather than falling
            back to the subject, which could be another author's name.
    """

    issuer: str = field(validator=_is_url)
    audience: str = field(validator=_is_url)
    tenant_claim: str | None = field(default=None, validator=instance_of(str | None))
    author_claim: str = field(default="sub", validator=[is_text, not_blank])


def oauth_from(
    environment: Mapping[str, str], *, url: str | None = None, **options: str | None
) -> OAuthSettings | None:
    """Read the settings of OAuth. Return None if no variable and no option is set.

    `LAMELLA_OAUTH_ISSUER`: issuer URL of the identity provider.
    `LAMELLA_OAUTH_AUDIENCE`: required audience of tokens, by default `url`.
    `LAMELLA_OAUTH_TENANT_CLAIM`: claim with the tenant.
    `LAMELLA_OAUTH_AUTHOR_CLAIM`: claim with the author, by default `sub`.
    A blank variable counts as unset.

    Args:
        environment: Environment variables.
        url: Public URL of the endpoint.
        **options: Command-line options, named as the fields of `OAuthSettings`. An option that is given overrides
            the environment.

    Raises:
        InvalidValueError: Issuer or audience is missing, or isn't a trustworthy URL.
    """
    read = {name: environment.get(variable, "").strip() for name, variable in _NAMES.items()}
    given = {name: value for name, value in options.items() if value is not None}
    chosen = {name: value for name, value in {**read, **given}.items() if value}
    if not chosen:
        return None
    known = {**({"audience": url} if url else {}), **chosen}
    for name in ("issuer", "audience"):
        if name not in known:
            raise InvalidValueError(name=_NAMES[name], given="missing", allowed="set if OAuth is used")
    return OAuthSettings(**known)


def metadata_url(settings: OAuthSettings) -> str:
    """Return the URL of the metadata. Its host comes from the settings; a request's `Host` could be forged."""
    parts = urlsplit(settings.audience)
    return f"{parts.scheme}://{parts.netloc}{_WELL_KNOWN}{_path(settings)}"


def metadata_routes(settings: OAuthSettings) -> Sequence[Route]:
    """Return the routes of the metadata."""
    said = {
        "resource": settings.audience,
        "authorization_servers": [settings.issuer],
        "scopes_supported": list(Scope.ADMIN.requested),
        "bearer_methods_supported": ["header"],
        "resource_name": "lamella",
    }

    async def show(_request: Request) -> Response:
        return JSONResponse(said, headers=_HEADERS)

    return [Route(path, show) for path in dict.fromkeys((_WELL_KNOWN, f"{_WELL_KNOWN}{_path(settings)}"))]


def _path(settings: OAuthSettings) -> str:
    return urlsplit(settings.audience).path.rstrip("/")

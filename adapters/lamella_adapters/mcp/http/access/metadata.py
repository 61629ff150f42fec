"""Protected resource metadata (RFC 9728), which tells clients where to get a token for this server."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from lamella.domain.access.grant import Scope
from lamella_adapters.mcp.http.access.settings import OAuthSettings

_WELL_KNOWN = "/.well-known/oauth-protected-resource"
# The metadata is public, and clients in browsers read it across origins before they have a token.
_HEADERS = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=300"}


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

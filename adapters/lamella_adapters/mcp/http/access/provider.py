"""Client for the metadata and signing keys of an identity provider, with limits on size and time."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx2
from attrs import define

from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError
from lamella_adapters.mcp.http.access.settings import is_trustworthy

_MAX_BYTES = 256 * 1024
"""Maximum size of a response. The keys of large providers take 20 kB."""

_SECONDS = 5.0
"""Timeout for the connection, for each read, and for the whole response."""

_FOUND = 200

# A compressed response could expand far beyond the limit.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


@define
class Provider:
    """Identity provider with metadata by RFC 8414 or OpenID Connect Discovery.

    Attributes:
        issuer: Issuer URL.
    """

    issuer: str

    def keys(self) -> Sequence[Mapping[str, Any]]:
        """Fetch the provider's current JSON Web Keys.

        Raises:
            ProviderUnreachableError: The provider can't be reached, or its response is invalid.
        """
        with httpx2.Client(timeout=_SECONDS, follow_redirects=False) as client:
            uri = self._metadata(client).get("jwks_uri")
            if not isinstance(uri, str) or not is_trustworthy(uri):
                raise _unreachable("names no address of its keys that could be trusted")
            keys = _fetched(client, uri).get("keys")
        if not isinstance(keys, list):
            raise _unreachable("publishes no keys")
        return [each for each in keys if isinstance(each, dict)]

    def _metadata(self, client: httpx2.Client) -> Mapping[str, Any]:
        failure = _unreachable("has no metadata")
        for url in _discovery(self.issuer):
            try:
                found = _fetched(client, url)
            except ProviderUnreachableError as error:
                failure = error
                continue
            if found.get("issuer") != self.issuer:
                raise _unreachable("calls itself otherwise than LAMELLA_OAUTH_ISSUER does")
            return found
        raise failure


def _discovery(issuer: str) -> Iterator[str]:
    """Yield the well-known URLs for an issuer's metadata."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    yield f"{origin}/.well-known/oauth-authorization-server{path}"
    yield f"{origin}{path}/.well-known/openid-configuration"


def _fetched(client: httpx2.Client, url: str) -> Mapping[str, Any]:
    """Fetch a JSON object. Don't follow redirects: they could lead into the server's own network."""
    until, content = time.monotonic() + _SECONDS, b""
    try:
        with client.stream("GET", url, headers=_HEADERS) as response:
            if response.status_code != _FOUND:
                raise _unreachable(f"answers with status {response.status_code}")
            for part in response.iter_raw():
                content += part
                if len(content) > _MAX_BYTES or time.monotonic() > until:
                    raise _unreachable("sends an answer that is too long or too slow")
        found = json.loads(content)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise _unreachable("can't be reached") from error
    except (ValueError, RecursionError) as error:
        raise _unreachable("answers with something other than JSON") from error
    if not isinstance(found, dict):
        raise _unreachable("answers with something other than a JSON object")
    return found


def _unreachable(how: str) -> ProviderUnreachableError:
    return ProviderUnreachableError(
        reason=f"The identity provider {how}.",
        advice="Try again in a moment, or use a token of: lamella token create",
    )

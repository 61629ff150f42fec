"""The identity provider: its metadata and its keys, fetched within bounds."""

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
"""Most bytes of an answer; keys of large providers take 20 kB."""

_SECONDS = 5.0
"""Longest wait for a connection or for more of an answer, and for all of it."""

_FOUND = 200

# What is compressed could grow beyond all bounds.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


@define
class Provider:
    """An identity provider, found by RFC 8414 or OpenID Connect Discovery.

    Attributes:
        issuer: Its URL.
    """

    issuer: str

    def keys(self) -> Sequence[Mapping[str, Any]]:
        """Return its JSON web keys as it publishes them now.

        Raises:
            ProviderUnreachableError: It can't be reached, or its answer is none.
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
    """Yield the addresses at which the metadata of an issuer may be."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    yield f"{origin}/.well-known/oauth-authorization-server{path}"
    yield f"{origin}{path}/.well-known/openid-configuration"


def _fetched(client: httpx2.Client, url: str) -> Mapping[str, Any]:
    """Return the JSON object at a URL. A redirect is not followed: it could lead into the server's own network."""
    until, content = time.monotonic() + _SECONDS, b""
    try:
        with client.stream("GET", url, headers=_HEADERS) as response:
            if response.status_code != _FOUND:
                raise _unreachable(f"answers with status {response.status_code}")
            for part in response.iter_raw():
                content += part
                if len(content) > _MAX_BYTES or time.monotonic() > until:
                    raise _unreachable("answers at too great a length")
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

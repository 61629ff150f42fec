"""Signing keys of the identity provider: fetched with limits on size and time, cached, and refreshed regularly."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jwt
from attrs import define, field
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError
from lamella_adapters.process.urls import is_trustworthy

ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Accepted signature algorithms. All are asymmetric: a published key can't sign tokens."""

FRESH_SECONDS = 300.0
"""Age at which keys are refreshed, so that tokens signed by a withdrawn key are soon rejected."""

STALE_SECONDS = 3600.0
"""Maximum age of keys while the provider is unreachable."""

WAIT_SECONDS = 30.0
"""Minimum interval between two fetches, also after a failure or for an unknown key id."""

_MOST_KEYS = 100
_LEAST_RSA_BITS = 2048

Keys = Sequence[Mapping[str, Any]]

_MAX_BYTES = 256 * 1024
"""Maximum size of a response. The keys of large providers take 20 kB."""

_SECONDS = 5.0
"""Timeout for the connection, for each read, and for the whole response."""

_FOUND = 200

# Ask for an uncompressed response: a compressed one could expand far beyond the limit.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


@define(eq=False)
class SigningKeys:
    """Cache of an identity provider's signing keys. Thread-safe; only one thread fetches at a time.

    Attributes:
        fetch: Fetches the provider's current keys.
        clock: Monotonic clock in seconds.
    """

    fetch: Callable[[], Keys]
    clock: Callable[[], float] = time.monotonic
    _keys: Keys = ()
    _fetched: float | None = None
    _tried: float | None = None
    _failure: ProviderUnreachableError | None = None
    _lock: Lock = field(factory=Lock)

    def find(self, kid: str | None, algorithm: str) -> jwt.PyJWK | None:
        """Return the key for a key id and algorithm; None if no key matches, or several.

        Args:
            kid: Key id; None if the token names no key.
            algorithm: One of `ALGORITHMS`.

        Raises:
            ProviderUnreachableError: The provider can't be reached, and the cached keys are stale.
        """
        if self._age() >= FRESH_SECONDS:
            self._refresh()
        found = self._known(kid, algorithm)
        if found is None and self._age() >= WAIT_SECONDS:
            self._refresh()
            found = self._known(kid, algorithm)
        return found

    def _known(self, kid: str | None, algorithm: str) -> jwt.PyJWK | None:
        if self._age() >= STALE_SECONDS and self._failure is not None:
            raise self._failure
        named = [each for each in self._keys if kid is None or each.get("kid") == kid]
        usable = [key for each in named if (key := _usable(each, algorithm)) is not None]
        return usable[0] if len(usable) == 1 else None

    def _age(self) -> float:
        return STALE_SECONDS if self._fetched is None else self.clock() - self._fetched

    def _refresh(self) -> None:
        """Fetch the keys, unless the latest attempt was a moment ago.

        If another thread is fetching, wait for it only if the cached keys are stale.
        """
        if not self._lock.acquire(blocking=self._age() >= STALE_SECONDS):
            return
        try:
            if self._tried is not None and self.clock() - self._tried < WAIT_SECONDS:
                return
            self._tried = self.clock()
            try:
                self._keys = list(self.fetch())[:_MOST_KEYS]
                self._fetched, self._failure = self.clock(), None
            except ProviderUnreachableError as error:
                self._failure = error
        finally:
            self._lock.release()


def _usable(published: Mapping[str, Any], algorithm: str) -> jwt.PyJWK | None:
    """Parse a published key; None if it isn't a secure verification key for the algorithm."""
    if published.get("alg", algorithm) != algorithm or published.get("use", "sig") != "sig" or "d" in published:
        return None
    operations = published.get("key_ops", ["verify"])
    if not isinstance(operations, list) or "verify" not in operations:
        return None
    try:
        key = jwt.PyJWK(dict(published), algorithm=algorithm)
    except (jwt.PyJWTError, UnsupportedAlgorithm, ValueError, TypeError, KeyError):
        return None
    weak = isinstance(key.key, RSAPublicKey) and key.key.key_size < _LEAST_RSA_BITS
    return None if weak else key


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
                raise _unreachable("names no trustworthy URL for its keys")
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
                raise _unreachable("names an issuer other than LAMELLA_OAUTH_ISSUER")
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

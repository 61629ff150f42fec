"""Cache of the identity provider's signing keys, refreshed regularly."""

import time
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

import jwt
from attrs import define, field
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from lamella_adapters.mcp.http.access.authenticator import ProviderUnreachableError

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
        """Return the only key for a key id and algorithm; None if there isn't exactly one.

        Args:
            kid: Key id; None if the token has none.
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

"""Rate limits for requests and for rejected tokens."""

import hashlib
import math
import time
from collections import OrderedDict

from attrs import define, field

from lamella.domain.access.grant import Grant

KNOWN_SECONDS = 5.0
"""Seconds to cache an accepted token. A revoked token remains valid for up to this time."""

_MOST_CALLERS = 10_000
"""Maximum number of tracked callers.

Beyond it, the least recent caller is dropped. Its next request gets a full bucket.
"""


@define(eq=False)
class Rates:
    """Token bucket for each caller, with a capacity of twice the rate. Not thread-safe.

    Attributes:
        rate: Number of requests added to a bucket per second.
    """

    rate: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(factory=OrderedDict)
    """Remaining requests of each caller, and the monotonic time of that count."""

    def wait(self, caller: str, *, counted: bool = True, a_minute: int | None = None) -> int:
        """Take a request out of the caller's bucket. Return 0, or the seconds to wait if the bucket is empty.

        Args:
            caller: Name of the caller.
            counted: False to only check the bucket, without taking a request out.
            a_minute: Number of requests per minute, to use in place of `rate`. The capacity of the bucket is then
                the same number. None to use `rate`.
        """
        now, rate, most = time.monotonic(), self.rate, 2 * self.rate
        if a_minute is not None:
            rate, most = max(a_minute, 1) / 60, a_minute
        left, before = self._buckets.pop(caller, (most, now))
        left = min(most, left + (now - before) * rate)
        allowed = left >= 1
        self._buckets[caller] = (left - (allowed and counted), now)
        if len(self._buckets) > _MOST_CALLERS:
            self._buckets.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - left) / rate))


@define(eq=False)
class Refusals:
    """Cache of accepted tokens, and rate limit for rejected tokens. Both reduce the number of look-ups.

    The limit applies per address owner; see `owner_of`. Accepted tokens stay usable while their owner is limited.
    Not thread-safe.

    Attributes:
        rates: Rate limit of rejected tokens.
    """

    rates: Rates
    _accepted: OrderedDict[bytes, tuple[Grant, float]] = field(factory=OrderedDict)
    """Grant and monotonic time of the look-up, keyed by the token's digest."""

    def known(self, token: str) -> Grant | None:
        """Return the cached grant of a token; None if no grant is cached, or if the cache entry has expired."""
        grant, at = self._accepted.get(_digest(token), (None, 0.0))
        return grant if time.monotonic() - at < KNOWN_SECONDS else None

    def wait(self, owner: str | None, token: str) -> int:
        """Return the seconds to wait before this token may be looked up; 0 if it may be looked up now."""
        return 0 if owner is None or _digest(token) in self._accepted else self.rates.wait(owner, counted=False)

    def accept(self, token: str, grant: Grant) -> None:
        """Cache the grant of a token."""
        self._accepted[_digest(token)] = grant, time.monotonic()
        self._accepted.move_to_end(_digest(token))
        if len(self._accepted) > _MOST_CALLERS:
            self._accepted.popitem(last=False)

    def refuse(self, owner: str | None, token: str) -> None:
        """Count a rejected token of an address owner, and drop the token from the cache."""
        self._accepted.pop(_digest(token), None)
        if owner is not None:
            self.rates.wait(owner)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()

"""Bounds on how often one caller may ask."""

import hashlib
import math
import time
from collections import OrderedDict

from attrs import define, field

from lamella.domain.access.grant import Grant

KNOWN_SECONDS = 5.0
"""Time until an accepted token is looked up again, in seconds. A token revoked meanwhile stays valid as long."""

_MOST_CALLERS = 10_000
"""Callers that are remembered. One who asked for nothing in a while is let in as if new."""


@define(eq=False)
class Rates:
    """A bucket for each caller: it holds twice the rate, and each request takes one out of it.

    Used in one thread.

    Attributes:
        rate: Requests a second that flow into each bucket.
    """

    rate: float
    _buckets: OrderedDict[str, tuple[float, float]] = field(factory=OrderedDict)
    """Requests that each caller had left, and when, as `time.monotonic` tells it."""

    def wait(self, caller: str, *, counted: bool = True, a_minute: int | None = None) -> int:
        """Count a request of a caller. Return the seconds to wait before the next one, 0 if this one is fine.

        Args:
            caller: Name of the caller.
            counted: False to tell only how long to wait.
            a_minute: Requests a minute instead of the rate. The bucket holds those of a minute then.
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
    """Accepted tokens, and bounds on refused ones of each owner of addresses, as each costs a look-up.

    A holder of an accepted token goes on with it, whatever others of the same owner try. Used in one thread.

    Attributes:
        rates: Bounds on those of one owner.
    """

    rates: Rates
    _accepted: OrderedDict[bytes, tuple[Grant, float]] = field(factory=OrderedDict)
    """Grants of the tokens that were accepted last, by their digests, and the times of their look-ups."""

    def known(self, token: str) -> Grant | None:
        """Return the grant of a token that was looked up a moment ago."""
        grant, at = self._accepted.get(_digest(token), (None, 0.0))
        return grant if time.monotonic() - at < KNOWN_SECONDS else None

    def wait(self, owner: str | None, token: str) -> int:
        """Return the seconds to wait before a token may be tried, 0 if it may be now."""
        if owner is None or _digest(token) in self._accepted:
            return 0
        return self.rates.wait(owner, counted=False)

    def accept(self, token: str, grant: Grant) -> None:
        """Note the grant of a token that was looked up."""
        self._accepted[_digest(token)] = grant, time.monotonic()
        self._accepted.move_to_end(_digest(token))
        if len(self._accepted) > _MOST_CALLERS:
            self._accepted.popitem(last=False)

    def refuse(self, owner: str | None, token: str) -> None:
        """Count a refused token of an owner of addresses."""
        self._accepted.pop(_digest(token), None)
        if owner is not None:
            self.rates.wait(owner)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()

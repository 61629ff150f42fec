"""Bounds on how often one caller may ask."""

import hashlib
import math
import time
from collections import OrderedDict

from attrs import define, field

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

    def wait(self, caller: str, *, counted: bool = True) -> int:
        """Count a request of a caller. Return the seconds to wait before the next one, 0 if this one is fine.

        Args:
            caller: Name of the caller.
            counted: False to tell only how long to wait.
        """
        now, most = time.monotonic(), 2 * self.rate
        left, before = self._buckets.pop(caller, (most, now))
        left = min(most, left + (now - before) * self.rate)
        allowed = left >= 1
        self._buckets[caller] = (left - (allowed and counted), now)
        if len(self._buckets) > _MOST_CALLERS:
            self._buckets.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - left) / self.rate))


@define(eq=False)
class Refusals:
    """Bounds on refused tokens of each owner of addresses, as each costs a look-up. Used in one thread.

    Who was let in with a token goes on with it, whatever others of the same owner try.

    Attributes:
        rates: Bounds on those of one owner.
    """

    rates: Rates
    _accepted: OrderedDict[bytes, None] = field(factory=OrderedDict)
    """Digests of tokens that were accepted last."""

    def wait(self, owner: str | None, token: str) -> int:
        """Return the seconds to wait before a token may be tried, 0 if it may be now."""
        if owner is None or _digest(token) in self._accepted:
            return 0
        return self.rates.wait(owner, counted=False)

    def accept(self, token: str) -> None:
        """Note that a token was accepted."""
        self._accepted[_digest(token)] = None
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

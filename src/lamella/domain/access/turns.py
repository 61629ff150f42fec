"""Fair scheduling of concurrent calls, first among tenants, then among the callers of a tenant."""

from collections import Counter, deque
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class Turns(Generic[T]):
    """Scheduler of running and waiting calls.

    A free slot goes to the tenant with the fewest running calls; among several such tenants, to the least recently
    served. Among the callers of a tenant, the same rule applies. Calls of one caller run in FIFO order. A single
    active tenant can use all shared slots; several active tenants share the slots equally. Further slots are
    reserved for tenants without a running call.

    Attributes:
        most: Number of slots shared by all tenants.
        kept: Number of further slots, reserved for tenants without a running call.
        longest: Maximum length of the queue, shared equally by the waiting tenants.
    """

    most: int
    kept: int
    longest: int
    _waiting: dict[str, dict[str, deque[T]]] = field(init=False, factory=dict)
    """Waiting calls, keyed by tenant, then by caller. Least recently served tenants and callers come first."""
    _running: Counter[tuple[str, ...]] = field(init=False, factory=Counter)
    """Number of running calls. A key is a tenant, or a tenant and a caller."""
    _total: int = field(init=False, default=0)

    def wait(self, tenant: str, caller: str, call: T) -> bool:
        """Queue a call. Return False if the tenant's share of the queue is full."""
        callers = self._waiting.get(tenant, {})
        others = len(self._waiting.keys() - {tenant})
        if sum(map(len, callers.values())) >= self.longest // (others + 1):
            return False
        self._waiting.setdefault(tenant, callers).setdefault(caller, deque()).append(call)
        return True

    def begin(self) -> T | None:
        """Start and return the next call; None if no call can start now."""
        crowded = self._total >= self.most
        able = [each for each in self._waiting if not (crowded and self._running[each,])]
        if not able or self._total >= self.most + self.kept:
            return None
        tenant = min(able, key=lambda each: self._running[each,])
        callers = self._waiting.pop(tenant)
        caller = min(callers, key=lambda each: self._running[tenant, each])
        calls = callers.pop(caller)
        call = calls.popleft()
        if calls:
            callers[caller] = calls
        if callers:
            self._waiting[tenant] = callers
        self._total += 1
        self._running.update([(tenant,), (tenant, caller)])
        return call

    def end(self, tenant: str, caller: str) -> None:
        """Free the slot of a finished call."""
        self._total -= 1
        self._running -= Counter([(tenant,), (tenant, caller)])

    def leave(self, tenant: str, caller: str, call: T) -> None:
        """Remove a waiting call from the queue."""
        callers = self._waiting[tenant]
        callers[caller].remove(call)
        if not callers[caller]:
            del callers[caller]
        if not callers:
            del self._waiting[tenant]

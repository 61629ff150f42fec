"""Turns of simultaneous calls: tenants share them, and within a tenant its callers do."""

from collections import Counter, deque
from typing import Generic, TypeVar

from attrs import define, field

T = TypeVar("T")


@define(eq=False)
class Turns(Generic[T]):
    """Calls that run and calls that wait.

    A free place goes to the tenant with the fewest running calls, among equals to the one that has waited longest
    since it was served. The same rule chooses its caller, whose calls keep their order. So a tenant has all places
    while no other waits. Else each has its share, and a tenant without a running call finds a place kept for it.

    Attributes:
        most: Places for calls of everybody.
        kept: Further places, for tenants without a running call.
        longest: Length of the queue, of which each waiting tenant has an equal share.
    """

    most: int
    kept: int
    longest: int
    _waiting: dict[str, dict[str, deque[T]]] = field(init=False, factory=dict)
    """Calls by tenant and caller, in the order of waiting."""
    _running: Counter[tuple[str, ...]] = field(init=False, factory=Counter)
    """Numbers of calls by tenant, and by tenant and caller."""
    _total: int = field(init=False, default=0)

    def wait(self, tenant: str, caller: str, call: T) -> bool:
        """Queue a call. Return False if its tenant has its share of the queue already."""
        callers = self._waiting.get(tenant, {})
        others = len(self._waiting.keys() - {tenant})
        if sum(map(len, callers.values())) >= self.longest // (others + 1):
            return False
        self._waiting.setdefault(tenant, callers).setdefault(caller, deque()).append(call)
        return True

    def begin(self) -> T | None:
        """Return the call that begins now, None if there is no place for any."""
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
        """Free the place of a call that has run."""
        self._total -= 1
        self._running -= Counter([(tenant,), (tenant, caller)])

    def leave(self, tenant: str, caller: str, call: T) -> None:
        """Withdraw a waiting call."""
        callers = self._waiting[tenant]
        callers[caller].remove(call)
        if not callers[caller]:
            del callers[caller]
        if not callers:
            del self._waiting[tenant]

"""Use cases of each tenant, on one storage."""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

from attrs import define, field

from lamella.container import Lamella
from lamella.domain.access.quota import TenantSize

MOST_OPEN = 256
"""Maximum number of tenants in the cache."""


@define(eq=False)
class Tenants:
    """LRU cache of the use cases of tenants.

    Attributes:
        lamella: Use cases of the process.
        uses: Number of look-ups. The background job compares it to notice activity.
    """

    lamella: Lamella
    uses: int = 0
    _open: OrderedDict[str, Lamella] = field(factory=OrderedDict)
    _unmaintained: set[str] = field(factory=set)
    """Tenants used since their latest maintenance."""
    _lock: Lock = field(factory=Lock)

    def of(self, name: str) -> Lamella:
        """Return the use cases of a tenant.

        Raises:
            CapabilityUnsupportedError: The storage supports only one tenant.
        """
        with self._lock:
            self.uses += 1
            if name not in self._open:
                self._open[name] = self.lamella.for_tenant(name)
            self._open.move_to_end(name)
            self._unmaintained.add(name)
            if len(self._open) > MOST_OPEN:
                self._unmaintained.discard(self._open.popitem(last=False)[0])
            return self._open[name]

    def size(self, name: str) -> TenantSize | None:
        """Return the size of a tenant with a quota; None without a quota, or before the tenant's first call."""
        return self._open[name].storage.known_size() if name in self._open else None

    def sizes(self) -> Iterator[TenantSize]:
        """Yield the sizes of the cached tenants that have quotas."""
        yield from filter(None, map(self.size, tuple(self._open)))

    def __len__(self) -> int:
        """Return the number of cached tenants."""
        return len(self._open)

    def maintain(self) -> bool:
        """Run a step of maintenance for one tenant. Return True if more may be pending."""
        with self._lock:
            name = next(iter(self._unmaintained), None)
            lamella = None if name is None else self._open[name]
        if lamella is None or name is None:
            return False
        if not lamella.look_after():
            with self._lock:
                self._unmaintained.discard(name)
        return bool(self._unmaintained)

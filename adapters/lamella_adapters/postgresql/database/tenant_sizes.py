"""Sizes of tenants."""

import math
import time
from collections.abc import Iterable

from attrs import define

from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.transactions.plan import Plan, admitted
from lamella_adapters.postgresql.database.transaction import Row

_KNOWN_SECONDS = 5

EVERY = "SELECT s.name, s.projects, s.memories, s.bytes, s.tokens, s.saves, s.quota FROM tenant_sizes() AS s"
OWN = EVERY.replace("tenant_sizes()", "quota AS q CROSS JOIN tenant_sizes(q.tenant)")
"""The size of the tenant of the transaction; no row without a quota."""


def sizes(rows: Iterable[Row]) -> tuple[TenantSize, ...]:
    """Return the sizes of tenants."""
    return tuple(TenantSize(*(*row[:-1], Quota(*row[-1]))) for row in rows)


@define(eq=False)
class KnownSize:
    """Size of a tenant as of some seconds ago, and what this process has added since.

    Attributes:
        size: The size; None without a quota.
        until: Time until which it holds, of the monotonic clock in seconds.
    """

    size: TenantSize | None = None
    until: float = -math.inf

    @property
    def outdated(self) -> bool:
        """True if a transaction has to ask for it."""
        return time.monotonic() >= self.until

    def learn(self, rows: Iterable[Row]) -> None:
        """Note the answer to `OWN`."""
        self.size, self.until = next(iter(sizes(rows)), None), time.monotonic() + _KNOWN_SECONDS

    def admit(self, plan: Plan) -> None:
        """Count the memories of a plan, or refuse it; see `admitted`."""
        self.size = self.size and admitted(plan, self.size)

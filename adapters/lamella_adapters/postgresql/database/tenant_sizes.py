"""Sizes of tenants."""

import math
import time
from collections.abc import Iterable
from typing import Any

from attrs import define

from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.transactions.plan import Plan, admitted

_KNOWN_SECONDS = 5

EVERY = "SELECT s.name, s.projects, s.memories, s.bytes, s.tokens, s.saves, s.quota FROM tenant_sizes() AS s"
OWN = EVERY.replace("tenant_sizes()", "quota AS q CROSS JOIN tenant_sizes(q.tenant)")
"""Query for the size of the transaction's tenant. It returns no row without a quota."""


def sizes(rows: Iterable[tuple[Any, ...]]) -> tuple[TenantSize, ...]:
    """Return the sizes of tenants."""
    return tuple(TenantSize(*(*row[:-1], Quota(*row[-1]))) for row in rows)


@define(eq=False)
class KnownSize:
    """Size of a tenant: the size read some seconds ago, plus the memories that this process has added since.

    Attributes:
        size: The size; None without a quota.
        until: Monotonic time in seconds after which the next transaction reads the size again.
    """

    size: TenantSize | None = None
    until: float = -math.inf

    def learn(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Record the answer to the query `OWN`."""
        self.size, self.until = next(iter(sizes(rows)), None), time.monotonic() + _KNOWN_SECONDS

    def admit(self, plan: Plan) -> None:
        """Count a plan's memories, or raise an error if the quota is used up; see `admitted`."""
        self.size = self.size and admitted(plan, self.size)

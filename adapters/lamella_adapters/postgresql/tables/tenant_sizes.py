"""Sizes of tenants."""

from collections.abc import Iterable

from lamella.domain.access.quota import Quota, TenantSize
from lamella_adapters.postgresql.database.transaction import Row

EVERY = "SELECT s.name, s.projects, s.memories, s.bytes, s.tokens, s.saves, s.quota FROM tenant_sizes() AS s"
OWN = EVERY.replace("tenant_sizes()", "quota AS q CROSS JOIN tenant_sizes(q.tenant)")
"""The size of the tenant of the transaction; no row without a quota."""


def sizes(rows: Iterable[Row]) -> tuple[TenantSize, ...]:
    """Return the sizes of tenants."""
    return tuple(TenantSize(*(*row[:-1], Quota(*row[-1]))) for row in rows)

"""Tenants of a schema, for who administers them."""

from lamella.domain.access.grant import Scope, TenantSize
from lamella_adapters.postgresql.access.tokens import require_right
from lamella_adapters.postgresql.database.database import Database


def tenant_sizes(database: Database) -> tuple[TenantSize, ...]:
    """Return the sizes of all tenants. Bytes are those of the schema, by the tenant's share of indexed words."""
    with database.reading() as tx:
        require_right(tx, database.tenant, Scope.ADMIN)
        rows = tx.rows("SELECT name, projects, memories, bytes, tokens FROM tenant_sizes()", last=True)
    return tuple(
        TenantSize(name=name, projects=projects, memories=memories, bytes=size, tokens=tokens)
        for name, projects, memories, size, tokens in rows
    )


def delete_tenant(database: Database, tenant: str) -> None:
    """Delete all rows of a tenant, however long that takes."""
    with database.writing() as tx:
        require_right(tx, tenant, Scope.ADMIN)
        with tx.connection.patient():
            tx.run("SET LOCAL statement_timeout = 0")
            tx.rows("SELECT delete_tenant(%(tenant)s)", tenant=tenant, last=True)

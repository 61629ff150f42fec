"""Administration of the tenants of a schema."""

from attrs import asdict

from lamella.domain.access.grant import Scope
from lamella.domain.access.quota import Quota, TenantSize
from lamella_adapters.postgresql.access.tokens import SQL, require_right
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.tenant_sizes import EVERY, sizes


def tenant_sizes(database: Database) -> tuple[TenantSize, ...]:
    """Return the sizes of all tenants. Bytes are estimated by the tenant's share of all indexed words."""
    with database.reading() as tx:
        require_right(tx, database.tenant, Scope.ADMIN)
        return sizes(tx.rows(EVERY, last=True))


def limit_tenant(database: Database, tenant: str, quota: Quota) -> None:
    """Replace the quota of a tenant."""
    with database.writing() as tx:
        require_right(tx, tenant, Scope.ADMIN)
        tx.run(SQL["of_tenant"], tenant=tenant)
        tx.run(SQL["limit"], **asdict(quota))


def delete_tenant(database: Database, tenant: str) -> None:
    """Delete all rows of a tenant, without a statement timeout."""
    with database.writing() as tx:
        require_right(tx, tenant, Scope.ADMIN)
        with tx.connection.patient():
            tx.run("SET LOCAL statement_timeout = 0")
            tx.rows("SELECT delete_tenant(%(tenant)s)", tenant=tenant, last=True)

"""Access tokens of all tenants of a schema, and administration of these tenants."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import asdict, define, fields

from lamella.domain.access.event import AccessEvent
from lamella.domain.access.grant import Scope, scopes_named
from lamella.domain.access.quota import Quota, TenantSize
from lamella.domain.access.token import AccessToken
from lamella.ports.storage.access_tokens import AccessTokens
from lamella_adapters.postgresql.database import columns
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.tenant_sizes import EVERY, sizes
from lamella_adapters.postgresql.database.transaction import Row, Transaction
from lamella_adapters.postgresql.schema.errors import failure
from lamella_adapters.statements import statements

_COLUMNS = tuple(each.name for each in fields(AccessToken))
_TIMES = ("created_at", "expires_at", "used_at", "revoked_at")
SQL = statements(__file__, columns=", ".join(_COLUMNS), values=", ".join(f"%({name})s" for name in _COLUMNS))


@define(eq=False)
class PostgresAccessTokens(AccessTokens):
    """Access tokens of all tenants of a database."""

    database: Database

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        with self.database.writing() as tx:
            tx.run(SQL["of_tenant"], tenant=token.tenant)
            require_right(tx, token.tenant, *token.scopes)
            values = {**asdict(token), "scopes": sorted(token.scopes)}
            times = {name: columns.maybe_microseconds(values[name]) for name in _TIMES}
            tx.run(SQL["add"], **{**values, **times, "digest": digest})

    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """See `AccessTokens.all`."""
        if not columns.storable(tenant):
            return ()
        with self.database.reading() as tx:
            tx.run(SQL["of_tenant"], tenant=tenant)
            return _tokens(tx.rows(SQL["all"], last=True))

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        with self.database.reading() as tx:
            return next(iter(_tokens(tx.rows(SQL["find"], digest=digest, last=True))), None)

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        times = {
            "revoked_at": columns.maybe_microseconds(revoked_at),
            "used_at": columns.maybe_microseconds(used_at),
        }
        with self.database.writing() as tx:
            tx.run(SQL["of_tenant"], tenant=tenant)
            return next(iter(_tokens(tx.rows(SQL["mark"], id=id, **times, last=True))), None)

    def events(self, tenant: str, *, limit: int) -> tuple[AccessEvent, ...]:
        """See `AccessTokens.events`."""
        with self.database.reading() as tx:
            tx.run(SQL["of_tenant"], tenant=tenant)
            rows = tx.rows(SQL["events"], limit=limit, last=True)
        return tuple(
            AccessEvent(at=columns.from_microseconds(at), action=action, about=about, by=login, origin=origin)
            for at, action, about, login, origin in rows
        )

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.database.reading() as tx:
            ((any_made,),) = tx.rows(SQL["exist"], last=True)
        return bool(any_made)


def require_right(tx: Transaction, tenant: str, *scopes: Scope) -> None:
    """Check that the database login may manage a tenant's tokens.

    Without this check, the user would get the database's own error instead, which has no advice.

    Raises:
        StorageError: The login may not create a token with these scopes for the tenant.
    """
    ((may,),) = tx.rows(SQL["may_make"], tenant=tenant, scopes=sorted(scopes))
    if not may:
        raise failure("no-admin")


def _tokens(rows: Iterable[Row]) -> tuple[AccessToken, ...]:
    return tuple(_token(dict(zip(_COLUMNS, row, strict=True))) for row in rows)


def _token(stored: Mapping[str, Any]) -> AccessToken:
    times = {name: columns.maybe_time(stored[name]) for name in _TIMES}
    return AccessToken(**{**stored, **times, "scopes": scopes_named(stored["scopes"])})


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

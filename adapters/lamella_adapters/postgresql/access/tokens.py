"""Access tokens of all tenants of a schema."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from attrs import define

from lamella.domain.access.grant import scopes_named
from lamella.domain.access.token import AccessToken
from lamella.ports.storage.access_tokens import AccessTokens
from lamella_adapters.postgresql.database.columns import (
    from_microseconds,
    maybe_microseconds,
    maybe_time,
    storable,
    to_microseconds,
)
from lamella_adapters.postgresql.database.database import Database
from lamella_adapters.postgresql.database.turn import Row
from lamella_adapters.postgresql.schema.statements import statements

_COLUMNS = "tenant, id, name, scopes, project, author, created_at, expires_at, used_at, revoked_at"
SQL = statements(__file__, columns=_COLUMNS)


@define(eq=False)
class PostgresAccessTokens(AccessTokens):
    """Tokens of all tenants."""

    database: Database

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        with self.database.writing() as turn:
            turn.run(SQL["of_tenant"], tenant=token.tenant)
            turn.run(
                SQL["add"],
                tenant=token.tenant,
                id=token.id,
                name=token.name,
                scopes=sorted(token.scopes),
                project=token.project,
                author=token.author,
                created_at=to_microseconds(token.created_at),
                expires_at=maybe_microseconds(token.expires_at),
                used_at=maybe_microseconds(token.used_at),
                revoked_at=maybe_microseconds(token.revoked_at),
                digest=digest,
            )

    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """See `AccessTokens.all`."""
        if not storable(tenant):
            return ()
        with self.database.reading() as turn:
            turn.run(SQL["of_tenant"], tenant=tenant)
            return _tokens(turn.rows(SQL["all"], last=True))

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        with self.database.reading() as turn:
            return next(iter(_tokens(turn.rows(SQL["find"], digest=digest, last=True))), None)

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        times = {"revoked_at": maybe_microseconds(revoked_at), "used_at": maybe_microseconds(used_at)}
        with self.database.writing() as turn:
            turn.run(SQL["of_tenant"], tenant=tenant)
            return next(iter(_tokens(turn.rows(SQL["mark"], id=id, **times, last=True))), None)

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.database.reading() as turn:
            ((any_made,),) = turn.rows(SQL["exist"], last=True)
        return bool(any_made)


def _tokens(rows: Iterable[Row]) -> tuple[AccessToken, ...]:
    return tuple(
        AccessToken(
            tenant=tenant,
            id=id,
            name=name,
            scopes=scopes_named(scopes),
            project=project,
            author=author,
            created_at=from_microseconds(created_at),
            expires_at=maybe_time(expires_at),
            used_at=maybe_time(used_at),
            revoked_at=maybe_time(revoked_at),
        )
        for tenant, id, name, scopes, project, author, created_at, expires_at, used_at, revoked_at in rows
    )

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

_COLUMNS = "tenant, id, name, scopes, project, author, created_at, expires_at, used_at, revoked_at"
_OF_TENANT = "SELECT set_config('lamella.tenant', %(tenant)s, true)"
"""Rows of the tenant of the tokens, which need not be that of the storage."""
_ADD = f"""
INSERT INTO access_token ({_COLUMNS}, digest) VALUES (%(tenant)s, %(id)s, %(name)s, %(scopes)s, %(project)s,
  %(author)s, %(created_at)s, %(expires_at)s, %(used_at)s, %(revoked_at)s, %(digest)s)
"""  # noqa: S608 - our own constants
_ALL = f"SELECT {_COLUMNS} FROM access_token ORDER BY created_at, id"  # noqa: S608 - same
_FIND = f"SELECT {_COLUMNS} FROM access_token_with(%(digest)s)"  # noqa: S608 - same
_MARK = f"""
UPDATE access_token SET revoked_at = coalesce(revoked_at, %(revoked_at)s),
  used_at = greatest(used_at, %(used_at)s) WHERE id = %(id)s RETURNING {_COLUMNS}
"""  # noqa: S608 - same
_EXIST = "SELECT access_tokens_exist()"


@define(eq=False)
class PostgresAccessTokens(AccessTokens):
    """Tokens of all tenants."""

    database: Database

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        with self.database.writing() as turn:
            turn.run(_OF_TENANT, tenant=token.tenant)
            turn.run(
                _ADD,
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
            turn.run(_OF_TENANT, tenant=tenant)
            return _tokens(turn.rows(_ALL, last=True))

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        with self.database.reading() as turn:
            return next(iter(_tokens(turn.rows(_FIND, digest=digest, last=True))), None)

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        times = {"revoked_at": maybe_microseconds(revoked_at), "used_at": maybe_microseconds(used_at)}
        with self.database.writing() as turn:
            turn.run(_OF_TENANT, tenant=tenant)
            return next(iter(_tokens(turn.rows(_MARK, id=id, **times, last=True))), None)

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.database.reading() as turn:
            ((any_made,),) = turn.rows(_EXIST, last=True)
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

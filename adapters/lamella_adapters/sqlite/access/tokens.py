"""Access tokens of a data directory."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import asdict, define, fields

from lamella.domain.access.grant import DEFAULT_TENANT, scopes_named
from lamella.domain.access.token import AccessToken
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.access_tokens import AccessTokens
from lamella.ports.storage.storage import Capability
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, to_microseconds

_NAMES = tuple(each.name for each in fields(AccessToken) if each.name != "tenant")
_TIMES = ("created_at", "expires_at", "used_at", "revoked_at")
_COLUMNS = ", ".join(_NAMES)
_ADD = f"INSERT INTO access_token ({_COLUMNS}, digest) VALUES ({'?, ' * len(_NAMES)}?)"  # noqa: S608 - our own constants
_ALL = f"SELECT {_COLUMNS} FROM access_token ORDER BY created_at, id"  # noqa: S608 - same
_FIND = f"SELECT {_COLUMNS} FROM access_token WHERE digest = ?"  # noqa: S608 - same
_MARK = f"""
UPDATE access_token SET revoked_at = coalesce(revoked_at, ?1),
  used_at = coalesce(max(used_at, ?2), used_at, ?2) WHERE id = ?3 RETURNING {_COLUMNS}
"""  # noqa: S608 - same
_EXIST = "SELECT 1 FROM access_token LIMIT 1"


@define(eq=False)
class SqliteAccessTokens(AccessTokens):
    """Tokens in the registry. There is one tenant."""

    registry: SqliteRegistry

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        if token.tenant != DEFAULT_TENANT:
            raise CapabilityUnsupportedError(capability=Capability.TENANTS)
        with self.registry.ensure_database().writing() as connection:
            connection.execute(_ADD, (*_row(token), digest))

    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """See `AccessTokens.all`."""
        return tuple(map(_token, self._read(_ALL))) if tenant == DEFAULT_TENANT else ()

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        return next(map(_token, self._read(_FIND, digest)), None)

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        if tenant != DEFAULT_TENANT or not self.exist():
            return None
        times = [each and to_microseconds(each) for each in (revoked_at, used_at)]
        with self.registry.ensure_database().writing() as connection:
            return next(map(_token, fetch(connection, _MARK, (*times, id.bytes))), None)

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        return bool(self._read(_EXIST))

    def _read(self, query: str, *values: Any) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query; none if there is no registry, or one of an earlier version."""
        if not self.registry.is_there():
            return ()
        with self.registry.ensure_database().reading() as connection:
            if not fetch(connection, "SELECT 1 FROM sqlite_schema WHERE name = 'access_token'"):
                return ()
            return fetch(connection, query, values)


def _row(token: AccessToken) -> tuple[Any, ...]:
    values = asdict(token)
    times = {name: values[name] and to_microseconds(values[name]) for name in _TIMES}
    stored = {**values, **times, "id": token.id.bytes, "scopes": " ".join(sorted(token.scopes))}
    return tuple(stored[name] for name in _NAMES)


def _token(row: tuple[Any, ...]) -> AccessToken:
    stored = dict(zip(_NAMES, row, strict=True))
    times = {name: None if stored[name] is None else from_microseconds(stored[name]) for name in _TIMES}
    scopes = scopes_named(stored["scopes"].split())
    return AccessToken(**{**stored, **times, "id": UUID(bytes=stored["id"]), "scopes": scopes})

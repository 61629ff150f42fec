"""Access tokens of a data directory."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import apsw
from attrs import asdict, define, fields

from lamella.domain.access.event import TOKEN_MADE, TOKEN_REVOKED, AccessEvent
from lamella.domain.access.grant import DEFAULT_TENANT, scopes_named
from lamella.domain.access.token import AccessToken
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.access_tokens import AccessTokens
from lamella.ports.storage.storage import Capability
from lamella_adapters.process.system import RecordedMachine
from lamella_adapters.sqlite.file.connection import fetch
from lamella_adapters.sqlite.projects.registry import SqliteRegistry
from lamella_adapters.sqlite.tables.observation_rows import from_microseconds, to_microseconds
from lamella_adapters.statements import statements

_NAMES = tuple(each.name for each in fields(AccessToken) if each.name != "tenant")
_TIMES = ("created_at", "expires_at", "used_at", "revoked_at")
SQL = statements(__file__, columns=", ".join(_NAMES), places=", ".join("?" * len(_NAMES)))


@define(eq=False)
class SqliteAccessTokens(AccessTokens):
    """Tokens in the registry. A storage on SQLite has a single tenant."""

    registry: SqliteRegistry

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        if token.tenant != DEFAULT_TENANT:
            raise CapabilityUnsupportedError(capability=Capability.TENANTS)
        with self.registry.ensure_database().writing() as connection:
            connection.execute(SQL["add"], (*_row(token), digest))
            self._note(connection, TOKEN_MADE, token)

    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """See `AccessTokens.all`."""
        return tuple(map(_token, self._read(SQL["all"]))) if tenant == DEFAULT_TENANT else ()

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        return next(map(_token, self._read(SQL["find"], digest)), None)

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        if tenant != DEFAULT_TENANT or not self.exist():
            return None
        times = [each and to_microseconds(each) for each in (revoked_at, used_at)]
        with self.registry.ensure_database().writing() as connection:
            before = fetch(connection, SQL["revoked_at"], (id.bytes,))
            marked = next(map(_token, fetch(connection, SQL["mark"], (*times, id.bytes))), None)
            if marked and fetch(connection, SQL["revoked_at"], (id.bytes,)) != before:
                self._note(connection, TOKEN_REVOKED, marked)
            return marked

    def events(self, tenant: str, *, limit: int) -> tuple[AccessEvent, ...]:
        """See `AccessTokens.events`."""
        rows = self._read(SQL["events"], limit, table="access_event") if tenant == DEFAULT_TENANT else ()
        return tuple(
            AccessEvent(at=from_microseconds(at), action=action, about=about, by=by, origin=origin)
            for at, action, about, by, origin in rows
        )

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        return bool(self._read(SQL["exist"]))

    def _note(self, connection: apsw.Connection, action: str, token: AccessToken) -> None:
        user = RecordedMachine(self.registry.folder).user() or "unknown"
        now = to_microseconds(datetime.now(UTC))
        connection.execute(SQL["note"], (now, action, token.label, user, platform.node()))

    def _read(self, query: str, *values: Any, table: str = "access_token") -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query. Return no rows if the registry is missing or of an earlier version."""
        if not self.registry.is_there():
            return ()
        with self.registry.ensure_database().reading() as connection:
            if not fetch(connection, "SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)):
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

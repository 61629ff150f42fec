"""Access tokens, in a dictionary."""

from collections.abc import Callable
from datetime import datetime
from threading import Lock
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.access.token import AccessToken
from lamella.ports.storage.access_tokens import AccessTokens


@define(eq=False)
class InMemoryAccessTokens(AccessTokens):
    """Tokens by digest.

    Attributes:
        tokens: The tokens by the digests of their secrets.
        lock: Lock to hold while reading or writing.
    """

    tokens: dict[bytes, AccessToken] = field(factory=dict)
    lock: Lock = field(factory=Lock)

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        with self.lock:
            self.tokens[digest] = token

    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """See `AccessTokens.all`."""
        with self.lock:
            found = [each for each in self.tokens.values() if each.tenant == tenant]
        return tuple(sorted(found, key=lambda each: (each.created_at, each.id)))

    def find(self, digest: bytes) -> AccessToken | None:
        """See `AccessTokens.find`."""
        with self.lock:
            return self.tokens.get(digest)

    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        """See `AccessTokens.revoke`."""
        return self._change(id, tenant, lambda token: evolve(token, revoked_at=token.revoked_at or now))

    def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
        """See `AccessTokens.note_use`."""
        self._change(id, tenant, lambda token: evolve(token, used_at=max(now, token.used_at or now)))

    def _change(self, id: UUID, tenant: str, change: Callable[[AccessToken], AccessToken]) -> AccessToken | None:
        with self.lock:
            for digest, token in self.tokens.items():
                if (token.id, token.tenant) == (id, tenant):
                    self.tokens[digest] = change(token)
                    return self.tokens[digest]
        return None

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.lock:
            return bool(self.tokens)

"""Access tokens, in a dictionary."""

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

    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """See `AccessTokens.mark`."""
        with self.lock:
            for digest, token in self.tokens.items():
                if (token.id, token.tenant) == (id, tenant):
                    used = max(filter(None, (token.used_at, used_at)), default=None)
                    marked = evolve(token, revoked_at=token.revoked_at or revoked_at, used_at=used)
                    self.tokens[digest] = marked
                    return marked
        return None

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.lock:
            return bool(self.tokens)

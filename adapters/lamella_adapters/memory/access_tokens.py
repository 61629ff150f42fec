"""Access tokens, in a dictionary."""

from datetime import UTC, datetime
from threading import Lock
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.access.event import TOKEN_MADE, TOKEN_REVOKED, AccessEvent
from lamella.domain.access.token import AccessToken
from lamella.ports.storage.access_tokens import AccessTokens


@define(eq=False)
class InMemoryAccessTokens(AccessTokens):
    """Access tokens of all tenants.

    Attributes:
        tokens: Tokens, keyed by the digests of their secrets.
        noted: Events, oldest first, each with its tenant.
        lock: Lock to hold while reading or writing.
    """

    tokens: dict[bytes, AccessToken] = field(factory=dict)
    noted: list[tuple[str, AccessEvent]] = field(factory=list)
    lock: Lock = field(factory=Lock)

    def add(self, token: AccessToken, digest: bytes) -> None:
        """See `AccessTokens.add`."""
        with self.lock:
            self.tokens[digest] = token
            self.note(token.tenant, TOKEN_MADE, token.label)

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
                    revoked = min(filter(None, (token.revoked_at, revoked_at)), default=None)
                    self.tokens[digest] = marked = evolve(token, revoked_at=revoked, used_at=used)
                    if revoked != token.revoked_at:
                        self.note(tenant, TOKEN_REVOKED, token.label)
                    return marked
        return None

    def note(self, tenant: str, action: str, about: str) -> None:
        """Log an event of a tenant."""
        event = AccessEvent(at=datetime.now(UTC), action=action, about=about, by="user", origin="memory")
        self.noted.append((tenant, event))

    def forget(self, tenant: str) -> None:
        """Delete the tokens and events of a tenant."""
        with self.lock:
            self.tokens = {digest: token for digest, token in self.tokens.items() if token.tenant != tenant}
            self.noted = [(of, event) for of, event in self.noted if of != tenant]

    def events(self, tenant: str, *, limit: int) -> tuple[AccessEvent, ...]:
        """See `AccessTokens.events`."""
        with self.lock:
            return tuple(event for of, event in reversed(self.noted) if of == tenant)[:limit]

    def exist(self) -> bool:
        """See `AccessTokens.exist`."""
        with self.lock:
            return bool(self.tokens)

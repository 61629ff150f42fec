"""Storage of access tokens."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol
from uuid import UUID

from lamella.domain.access.event import AccessEvent
from lamella.domain.access.token import AccessToken


class AccessTokens(Protocol):
    """Access tokens of all tenants of a storage, found by digests of their secrets.

    A revoked token is invalid, but stays in the list. Only the deletion of its tenant deletes the token. Tokens
    don't belong to projects, so merges, splits and restored backups don't change them.
    """

    @abstractmethod
    def add(self, token: AccessToken, digest: bytes) -> None:
        """Store a new token durably, and log the event.

        Args:
            token: Token with a new id.
            digest: Digest of the token's secret, 32 bytes.

        Raises:
            CapabilityUnsupportedError: The token belongs to another tenant, and `Capability.TENANTS` is not
                declared.
        """

    @abstractmethod
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """Return the tokens of a tenant sorted by creation time, then by id."""

    @abstractmethod
    def find(self, digest: bytes) -> AccessToken | None:
        """Return the token with a digest; None if no token has the digest.

        The token may belong to any tenant, and may be revoked or expired.

        The result reflects all commits of any process before the call.
        """

    @abstractmethod
    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """Record a revocation or a use of a token durably. Log a revocation.

        Keep the earliest of several revocations, and the latest of several uses.

        Args:
            id: Id of the token.
            tenant: Tenant of the token.
            revoked_at: Time from which the token is invalid; None to not revoke it.
            used_at: Time of a use; None for no use.

        Returns:
            The updated token; None if the tenant has no token with this id.
        """

    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        """Revoke a token durably, unless it is already invalid at `now`.

        Returns:
            The updated token; None if the tenant has no token with this id.
        """
        return self.mark(id, tenant=tenant, revoked_at=now)

    def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
        """Record the time of a token's use, unless a later use is already recorded."""
        self.mark(id, tenant=tenant, used_at=now)

    @abstractmethod
    def events(self, tenant: str, *, limit: int) -> tuple[AccessEvent, ...]:
        """Return the latest events of a tenant, newest first."""

    @abstractmethod
    def exist(self) -> bool:
        """Return True if a token was ever created, for any tenant."""

"""Access tokens of a storage."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol
from uuid import UUID

from lamella.domain.access.event import AccessEvent
from lamella.domain.access.token import AccessToken


class AccessTokens(Protocol):
    """Access tokens by the digests of their secrets, of all tenants of a storage.

    A token is deleted with its tenant only: one that is revoked stays listed, and stays refused. They belong to no
    project, so a merge, a split or a restored backup changes none.
    """

    @abstractmethod
    def add(self, token: AccessToken, digest: bytes) -> None:
        """Store a new token, durably, and log it.

        Args:
            token: The token. Its id is new.
            digest: Digest of its secret, 32 bytes.

        Raises:
            CapabilityUnsupportedError: It is of another tenant than the storage, and `Capability.TENANTS` is not
                declared.
        """

    @abstractmethod
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        """Return the tokens of a tenant, in order of creation, those of one time by id."""

    @abstractmethod
    def find(self, digest: bytes) -> AccessToken | None:
        """Return the token with a digest, of whichever tenant, revoked and expired ones too; None if none has it.

        It sees every change that was committed before, whichever process made it.
        """

    @abstractmethod
    def mark(
        self, id: UUID, *, tenant: str, revoked_at: datetime | None = None, used_at: datetime | None = None
    ) -> AccessToken | None:
        """Note times of a token, durably, and log a revocation. The earliest one and the latest use count.

        Args:
            id: Id of the token.
            tenant: Tenant that it belongs to.
            revoked_at: Time from which on it is refused, if it was revoked.
            used_at: Time at which it was used, if it was.

        Returns:
            The token as it is now; None if the tenant has none with this id.
        """

    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        """Revoke a token, durably, unless it is refused by `now` already.

        Returns:
            The token as it is now; None if the tenant has none with this id.
        """
        return self.mark(id, tenant=tenant, revoked_at=now)

    def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
        """Note that a token of the tenant was used, unless a later use is noted."""
        self.mark(id, tenant=tenant, used_at=now)

    @abstractmethod
    def events(self, tenant: str, *, limit: int) -> tuple[AccessEvent, ...]:
        """Return the latest events of a tenant, newest first."""

    @abstractmethod
    def exist(self) -> bool:
        """Return True if a token was ever made, for whichever tenant."""

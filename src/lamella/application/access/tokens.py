"""Make and revoke access tokens, and recognise their holders."""

from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from attrs import define, evolve, field, frozen

from lamella.domain.access.errors import TokenInvalidError, UnknownTokenError
from lamella.domain.access.grant import Grant, Scope
from lamella.domain.access.token import AccessToken, digest_of, new_secret
from lamella.domain.errors import InvalidValueError, StorageError, UnknownProjectError
from lamella.domain.memories.ids import id_prefix
from lamella.domain.projects.key import key_of_name
from lamella.domain.projects.project import Location, Project
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.storage import Storage
from lamella.ports.system import Clock, IdSource

NOTED_AFTER = timedelta(minutes=10)
"""Age of the last noted use at which another one is noted: to write at each request would cost more than that."""


@frozen(kw_only=True)
class TokenRequest:
    """A token to be made.

    Attributes:
        name: Name for people.
        scope: The most that may be done with it.
        tenant: Tenant to whose memories it leads; None for that of the storage.
        project: Project to which it is bound, by its id, an alias or its name, which is made if there is none;
            None for all of the tenant.
        author: Name under which its holder saves, if it has one.
        lifetime: Time until it expires; None for never.
    """

    name: str
    scope: Scope = Scope.WRITE
    tenant: str | None = None
    project: str | None = None
    author: str | None = None
    lifetime: timedelta | None = None


@frozen
class NewToken:
    """A new token, and its secret, which is known at this moment only."""

    token: AccessToken
    secret: str = field(repr=False)


@define
class CreateToken:
    """Make an access token."""

    storage: Storage
    clock: Clock
    ids: IdSource

    def __call__(self, request: TokenRequest) -> NewToken:
        """Make a token and return it with its secret, which is stored nowhere.

        Raises:
            InvalidValueError: A field is blank or too long, or the lifetime ends beyond the calendar or now.
            AmbiguousProjectError: Several projects have the name.
            CapabilityUnsupportedError: The storage keeps no access tokens, or none of other tenants.
            StorageError: The storage failed.
        """
        now = self.clock.now()
        try:
            expires_at = None if request.lifetime is None else now + request.lifetime
        except OverflowError:
            expires_at = now
        if expires_at is not None and expires_at <= now:
            raise InvalidValueError(
                name="lifetime", given=str(request.lifetime), allowed="positive and within the calendar"
            )
        tenant = self.storage.tenant if request.tenant is None else request.tenant
        token = AccessToken(
            id=self.ids.new(),
            tenant=tenant,
            name=request.name,
            scopes=request.scope.held,
            project=request.project,
            author=request.author,
            created_at=now,
            expires_at=expires_at,
        )
        if token.project is not None:
            # A name could become that of another project, an id never does.
            registry = self.storage.of_tenant(tenant).registry
            token = evolve(token, project=_made(registry, token.project, now).id)
        secret, digest = new_secret()
        self.storage.access_tokens.add(token, digest)
        return NewToken(token, secret)


def _made(registry: ProjectRegistry, asked: str, now: datetime) -> Project:
    """Return the project with this id, alias or name, which is made if there is none."""
    try:
        return registry.named(asked)
    except UnknownProjectError:
        return registry.at(Location(key=key_of_name(asked), name=asked, root=Path("/")), now=now)


@define
class RevokeToken:
    """Revoke an access token."""

    storage: Storage
    clock: Clock

    def __call__(self, asked: str, *, tenant: str | None = None, after: timedelta = timedelta(0)) -> AccessToken:
        """Revoke the token with an id, and return it. Every server refuses it then.

        Args:
            asked: Its id, or at least four characters of its beginning.
            tenant: Tenant that it belongs to; None for that of the storage.
            after: Time for which it stays valid.

        Raises:
            UnknownTokenError: The tenant has no such token, or several.
            CapabilityUnsupportedError: The storage keeps no access tokens.
            StorageError: The storage failed.
        """
        found, now = self.find(asked, tenant=tenant), self.clock.now() + after
        return self.storage.access_tokens.revoke(found.id, tenant=found.tenant, now=now) or found

    def find(self, asked: str, *, tenant: str | None = None) -> AccessToken:
        """Return the token with an id. For arguments and errors see `__call__`."""
        digits, tenant = id_prefix(asked), self.storage.tenant if tenant is None else tenant
        every = self.storage.access_tokens.all(tenant)
        found = [each for each in every if digits is not None and each.id.hex.startswith(digits)]
        if len(found) != 1:
            raise UnknownTokenError(asked=asked, tenant=tenant)
        return found[0]


@define
class RotateToken:
    """Replace an access token by a new one with the same rights."""

    create_token: CreateToken
    revoke_token: RevokeToken

    def __call__(self, asked: str, *, tenant: str | None = None, keep: timedelta) -> NewToken:
        """Make a token like that with an id, which stays valid for a while, and return the new one.

        Args:
            asked: Id of the old token, or at least four characters of its beginning.
            tenant: Tenant that it belongs to; None for that of the storage.
            keep: Time for which the old token stays valid.

        Raises:
            UnknownTokenError: The tenant has no such token, or several.
            StorageError: The storage failed.
        """
        old = self.revoke_token.find(asked, tenant=tenant)
        request = TokenRequest(
            name=old.name,
            scope=old.scope,
            tenant=old.tenant,
            project=old.project,
            author=old.author,
            lifetime=None if old.expires_at is None else old.expires_at - old.created_at,
        )
        new = self.create_token(request)
        self.revoke_token(str(old.id), tenant=old.tenant, after=keep)
        return new


@define
class GrantOf:
    """Recognise the holder of an access token."""

    storage: Storage
    clock: Clock

    def __call__(self, secret: str) -> Grant:
        """Return what the holder of a secret may do.

        Raises:
            TokenInvalidError: No valid token has this secret.
            CapabilityUnsupportedError: The storage keeps no access tokens.
            StorageError: The storage failed.
        """
        tokens, digest, now = self.storage.access_tokens, digest_of(secret), self.clock.now()
        token = None if digest is None else tokens.find(digest)
        if token is None or not token.is_valid(now):
            raise TokenInvalidError
        if token.used_at is None or now - token.used_at >= NOTED_AFTER:
            # A full disk is no reason to refuse who only reads.
            with suppress(StorageError):
                tokens.note_use(token.id, tenant=token.tenant, now=now)
        return token.grant()

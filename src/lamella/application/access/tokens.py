"""Create, revoke and rotate access tokens, and authenticate their holders."""

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
"""Minimum interval between two writes of a token's `used_at`.

Writing `used_at` at each request would take longer than answering the request.
"""


@frozen(kw_only=True)
class TokenRequest:
    """Request for a new token.

    Attributes:
        name: Human-readable name.
        scope: Widest scope of the token. The scopes that it includes are granted too.
        tenant: Tenant that the token gives access to; None for the storage's own tenant.
        project: Id, alias or name of the only project that the token allows. None to allow all projects. If the
            project doesn't exist, it is created.
        author: Author of memories saved with the token; None for no author.
        lifetime: Time until the token expires; None for never.
    """

    name: str
    scope: Scope = Scope.WRITE
    tenant: str | None = None
    project: str | None = None
    author: str | None = None
    lifetime: timedelta | None = None


@frozen
class NewToken:
    """New token with its secret, which isn't stored anywhere."""

    token: AccessToken
    secret: str = field(repr=False)


@define
class CreateToken:
    """Create an access token."""

    storage: Storage
    clock: Clock
    ids: IdSource

    def __call__(self, request: TokenRequest) -> NewToken:
        """Create a token, and return it with its secret. Only a digest of the secret is stored.

        Raises:
            InvalidValueError: A field is blank or too long, or the lifetime isn't positive or too long.
            AmbiguousProjectError: Several projects have the name.
            CapabilityUnsupportedError: The storage supports no access tokens, or no tenant except its own.
            StorageError: The storage failed.
        """
        now = self.clock.now()
        try:
            expires_at = None if request.lifetime is None else now + request.lifetime
        except OverflowError:
            expires_at = now
        if expires_at is not None and expires_at <= now:
            raise InvalidValueError(
                name="lifetime", given=str(request.lifetime), allowed="positive, and end before the year 10000"
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
            # Bind the token to an id: another project could get the same name later.
            registry = self.storage.of_tenant(tenant).registry
            token = evolve(token, project=_made(registry, token.project, now).id)
        secret, digest = new_secret()
        self.storage.access_tokens.add(token, digest)
        return NewToken(token, secret)


def _made(registry: ProjectRegistry, asked: str, now: datetime) -> Project:
    """Return the project with this id, alias or name. Create it if it doesn't exist."""
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
        """Revoke a token on all servers, and return it.

        Args:
            asked: Id of the token, or a prefix of at least four characters.
            tenant: Tenant of the token; None for the storage's own.
            after: Grace period until the token becomes invalid.

        Raises:
            UnknownTokenError: The id matches no token of the tenant, or several.
            CapabilityUnsupportedError: The storage supports no access tokens.
            StorageError: The storage failed.
        """
        found, now = self.find(asked, tenant=tenant), self.clock.now() + after
        return self.storage.access_tokens.revoke(found.id, tenant=found.tenant, now=now) or found

    def find(self, asked: str, *, tenant: str | None = None) -> AccessToken:
        """Return the token with the id or id prefix `asked`. See `__call__` for arguments and errors."""
        digits, tenant = id_prefix(asked), self.storage.tenant if tenant is None else tenant
        every = self.storage.access_tokens.all(tenant)
        found = [each for each in every if digits is not None and each.id.hex.startswith(digits)]
        if len(found) != 1:
            raise UnknownTokenError(asked=asked, tenant=tenant)
        return found[0]


@define
class RotateToken:
    """Replace an access token with a new token that has the same rights."""

    create_token: CreateToken
    revoke_token: RevokeToken

    def __call__(self, asked: str, *, tenant: str | None = None, keep: timedelta) -> NewToken:
        """Create a token with the rights and lifetime of an old one, and revoke the old one after a grace period.

        Args:
            asked: Id of the old token, or a prefix of at least four characters.
            tenant: Tenant of the token; None for the storage's own.
            keep: Grace period until the old token becomes invalid.

        Raises:
            UnknownTokenError: The id matches no token of the tenant, or several.
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
    """Authenticate the holder of an access token."""

    storage: Storage
    clock: Clock

    def __call__(self, secret: str) -> Grant:
        """Return the rights of a token's holder, and record the use of the token.

        Raises:
            TokenInvalidError: No valid token has this secret.
            CapabilityUnsupportedError: The storage supports no access tokens.
            StorageError: The storage failed.
        """
        tokens, digest, now = self.storage.access_tokens, digest_of(secret), self.clock.now()
        token = None if digest is None else tokens.find(digest)
        if token is None or not token.is_valid(now):
            raise TokenInvalidError
        if token.used_at is None or now - token.used_at >= NOTED_AFTER:
            # Ignore a failure: with a full disk, callers must still be able to read.
            with suppress(StorageError):
                tokens.note_use(token.id, tenant=token.tenant, now=now)
        return token.grant()

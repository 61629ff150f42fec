"""Access tokens, which authenticate programs to a server. A storage keeps only digests of their secrets."""

import hashlib
import re
import secrets
from datetime import datetime
from uuid import UUID

from attrs import field, frozen
from attrs import validators as check
from attrs.converters import optional

from lamella.domain.access.grant import DEFAULT_TENANT, Grant, Scope, is_tenant
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.text.printing import as_text, printed_line
from lamella.domain.validation import InvalidValueError, in_utc, instance_of, is_text, not_blank

PREFIX = "lamella_token_"
"""Prefix of every secret, by which secret scanners can find leaked secrets."""

MAX_NAME_CHARACTERS = 100
"""Maximum length of a token's name."""

_SECRET_BYTES = 32
_SECRET = re.compile(rf"{PREFIX}[0-9a-f]{{{2 * _SECRET_BYTES}}}")

_OPTIONAL_TEXT = check.optional([is_text, not_blank])


def digest_of(secret: str) -> bytes | None:
    """Return the digest of a secret. Return None if the secret is malformed.

    A storage looks up a token by this digest. Plain SHA-256 is enough, since 256 random bits can't be guessed by
    brute force. The look-up isn't open to timing attacks either: an attacker can't choose inputs with digests
    close to a stored digest.
    """
    return _digest(secret) if _SECRET.fullmatch(secret) else None


def new_secret() -> tuple[str, bytes]:
    """Generate a secret with 256 random bits. Return the secret and its digest."""
    secret = PREFIX + secrets.token_hex(_SECRET_BYTES)
    return secret, _digest(secret)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _bounded(_instance: object, _attribute: object, value: str) -> None:
    if len(value) > MAX_NAME_CHARACTERS:
        raise InvalidValueError(
            name="name", given=f"{len(value)}", allowed=f"at most {MAX_NAME_CHARACTERS} characters long"
        )


@frozen(kw_only=True)
class AccessToken:
    """Access token, without its secret.

    Attributes:
        id: Id to list and revoke the token by.
        tenant: Tenant that the token gives access to.
        name: Human-readable name.
        scopes: Granted scopes, including implied scopes.
        project: Id of the only allowed project; None for all projects of the tenant.
        author: Author of memories saved with the token; None for no author.
        created_at: Time of creation.
        expires_at: Expiry; None for never.
        used_at: Time of the latest use, accurate to some minutes; None if never used.
        revoked_at: Time from which a revoked or rotated token is invalid; None for other tokens.
    """

    id: UUID
    tenant: str = field(default=DEFAULT_TENANT, validator=is_tenant)
    name: str = field(converter=as_text, validator=[is_text, not_blank, _bounded])
    scopes: frozenset[Scope] = field(validator=instance_of(frozenset))
    project: str | None = field(default=None, converter=optional(as_text), validator=_OPTIONAL_TEXT)
    author: str | None = field(default=None, converter=optional(as_text), validator=_OPTIONAL_TEXT)
    created_at: datetime = field(converter=in_utc)
    expires_at: datetime | None = field(default=None, converter=optional(in_utc))
    used_at: datetime | None = field(default=None, converter=optional(in_utc))
    revoked_at: datetime | None = field(default=None, converter=optional(in_utc))

    def is_valid(self, now: datetime) -> bool:
        """Return True if the token is neither revoked nor expired."""
        return all(end is None or now < end for end in (self.revoked_at, self.expires_at))

    @property
    def scope(self) -> Scope:
        """The widest scope of the token."""
        return max(self.scopes, key=list(Scope).index)

    @property
    def label(self) -> str:
        """Name and short id, on one line."""
        return f"{printed_line(self.name)} {self.id.hex[:SHORT_ID_CHARACTERS]}"

    def grant(self) -> Grant:
        """Return the rights of the token's holder."""
        return Grant(
            tenant=self.tenant, scopes=self.scopes, project=self.project, author=self.author, name=self.label
        )

"""Access tokens: secrets by which a server recognises a program. A storage keeps their digests only."""

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
from lamella.domain.validation import InvalidValueError, aware, instance_of, is_text, not_blank

PREFIX = "lamella_token_"
"""Beginning of every secret, so that scanners for secrets know one."""

MAX_NAME_CHARACTERS = 100
"""Characters of the longest name of a token."""

_SECRET_BYTES = 32
_SECRET = re.compile(rf"{PREFIX}[0-9a-f]{{{2 * _SECRET_BYTES}}}")

_OPTIONAL_TEXT = check.optional([is_text, not_blank])


def digest_of(secret: str) -> bytes | None:
    """Return the digest of a secret, under which its token is kept; None if no token could have it.

    SHA-256 alone will do: nobody can try 2^256 secrets. Nor does the time of a look-up by digest help to guess
    one, since who does not know a secret cannot choose digests that are near to its own.
    """
    return _digest(secret) if _SECRET.fullmatch(secret) else None


def new_secret() -> tuple[str, bytes]:
    """Return the secret of a new token, with 256 random bits, and its digest."""
    secret = PREFIX + secrets.token_hex(_SECRET_BYTES)
    return secret, _digest(secret)


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _bounded(_instance: object, _attribute: object, value: str) -> None:
    if len(value) > MAX_NAME_CHARACTERS:
        raise InvalidValueError(
            name="name", given=f"of {len(value)}", allowed=f"of at most {MAX_NAME_CHARACTERS} characters"
        )


@frozen(kw_only=True)
class AccessToken:
    """A token, without its secret.

    Attributes:
        id: Id by which it is listed and revoked.
        tenant: Tenant to whose memories it leads.
        name: Name for people.
        scopes: What may be done with it.
        project: Id of the project to which it is bound; None for all of the tenant.
        author: Name under which its holder saves, if it has one.
        created_at: Time at which it was made.
        expires_at: Time from which on it is refused; None for never.
        used_at: Time at which it was used last, to some minutes; None for never.
        revoked_at: Time from which on it is refused since it was revoked or replaced; None if it was not.
    """

    id: UUID
    tenant: str = field(default=DEFAULT_TENANT, validator=is_tenant)
    name: str = field(converter=as_text, validator=[is_text, not_blank, _bounded])
    scopes: frozenset[Scope] = field(validator=instance_of(frozenset))
    project: str | None = field(default=None, converter=optional(as_text), validator=_OPTIONAL_TEXT)
    author: str | None = field(default=None, converter=optional(as_text), validator=_OPTIONAL_TEXT)
    created_at: datetime = field(validator=aware)
    expires_at: datetime | None = field(default=None, validator=check.optional(aware))
    used_at: datetime | None = field(default=None, validator=check.optional(aware))
    revoked_at: datetime | None = field(default=None, validator=check.optional(aware))

    def is_valid(self, now: datetime) -> bool:
        """Return True if the token is neither revoked nor expired."""
        return all(end is None or now < end for end in (self.revoked_at, self.expires_at))

    @property
    def scope(self) -> Scope:
        """The widest right."""
        return max(self.scopes, key=list(Scope).index)

    @property
    def label(self) -> str:
        """Name and short id, on one line."""
        return f"{printed_line(self.name)} {self.id.hex[:SHORT_ID_CHARACTERS]}"

    def grant(self) -> Grant:
        """Return what its holder may do."""
        return Grant(
            tenant=self.tenant,
            scopes=self.scopes,
            project=self.project,
            author=self.author,
            name=self.label,
        )

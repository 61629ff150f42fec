"""What a caller from elsewhere may do, once it has been recognised."""

from enum import StrEnum

from attrs import field, frozen

from lamella.domain.validation import instance_of, is_text, not_blank


class Scope(StrEnum):
    """A right to memories, under the name that OAuth gives it."""

    READ = "memory:read"
    """Recall, and look at what is stored."""
    WRITE = "memory:write"
    """Save, edit, purge and restore."""
    ADMIN = "memory:admin"
    """What concerns all of a tenant: erase, merge projects, make access tokens."""


@frozen(kw_only=True)
class Grant:
    """What one recognised caller may do.

    Attributes:
        tenant: Tenant whose memories these are.
        scopes: What may be done with them.
        project: Project that every call is about, by its id, an alias or its name; None if each call names one.
        author: Name of the person or program that saves, if it is known.
        name: Name of the token or subject, for rate limits and logs; never a secret.
    """

    tenant: str = field(validator=[is_text, not_blank])
    scopes: frozenset[Scope] = field(converter=frozenset)
    project: str | None = field(default=None, validator=instance_of(str | None))
    author: str | None = field(default=None, validator=instance_of(str | None))
    name: str = field(validator=[is_text, not_blank])

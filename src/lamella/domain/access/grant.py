"""Rights of callers from elsewhere, once they have been recognised."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from lamella.domain.text.printing import MAX_KEY_CHARACTERS, as_key
from lamella.domain.validation import InvalidValueError, instance_of, is_text, not_blank

if TYPE_CHECKING:
    from attrs import Attribute

DEFAULT_TENANT = "default"
"""Tenant of a storage that has no others."""


class Scope(StrEnum):
    """A right, under the name that OAuth gives it. Each includes those before it, but for `METRICS`."""

    READ = "memory:read"
    """Recall, and look at what is stored."""
    WRITE = "memory:write"
    """Change memories."""
    METRICS = "memory:metrics"
    """Read the metrics of the server, and no memory."""
    ADMIN = "memory:admin"
    """Administer what belongs to all of a tenant."""

    @property
    def held(self) -> frozenset["Scope"]:
        """This scope and those that it includes."""
        if self is Scope.METRICS:
            return frozenset({self})
        every = list(Scope)
        return frozenset(every[: every.index(self) + 1])

    @property
    def requested(self) -> tuple["Scope", ...]:
        """This scope and included ones, in order, for a client to request.

        `METRICS` is left out unless it is meant: an identity provider refuses requests with a scope unknown to it.
        """
        return tuple(each for each in Scope if each in self.held and (each is self or each is not Scope.METRICS))


def scopes_named(names: Iterable[str]) -> frozenset[Scope]:
    """Return the scopes of these names, and those that they include. Scopes of other services are ignored."""
    known = {each.value: each for each in Scope}
    return frozenset(scope for name in names if name in known for scope in known[name].held)


def is_tenant(_instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    """Refuse what is no name of a tenant: a text that is not blank and that any storage can keep."""
    is_text(_instance, attribute, value)
    not_blank(_instance, attribute, value)
    if as_key(value) != value:
        raise InvalidValueError(
            name=attribute.name,
            given="a longer one, or one with characters that can't be stored",
            allowed=f"a text of at most {MAX_KEY_CHARACTERS} characters",
        )


@frozen(kw_only=True)
class Grant:
    """Rights of one recognised caller.

    Attributes:
        tenant: Tenant whose memories these are.
        scopes: What may be done with them.
        project: Id of the project that every call is about; None if each call names one.
        author: Name of the person or program that saves, if it is known.
        name: Name of the token or subject, for rate limits and logs; never a secret.
    """

    tenant: str = field(validator=is_tenant)
    scopes: frozenset[Scope] = field(validator=instance_of(frozenset))
    project: str | None = field(default=None, validator=instance_of(str | None))
    author: str | None = field(default=None, validator=instance_of(str | None))
    name: str = field(validator=[is_text, not_blank])

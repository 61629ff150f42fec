"""Rights of authenticated callers over a network."""

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from lamella.domain.text.printing import MAX_KEY_CHARACTERS, as_key
from lamella.domain.validation import InvalidValueError, instance_of, is_text, not_blank

if TYPE_CHECKING:
    from attrs import Attribute

DEFAULT_TENANT = "default"
"""Name of the only tenant in storages without tenants."""


class Scope(StrEnum):
    """OAuth scope. Each scope includes all scopes before it, except `METRICS`, which includes no other scope."""

    READ = "memory:read"
    """Recall memories, and read all other stored data."""
    WRITE = "memory:write"
    """Change memories."""
    METRICS = "memory:metrics"
    """Read the server's metrics, but no memories."""
    ADMIN = "memory:admin"
    """Administer a tenant."""

    @property
    def held(self) -> frozenset["Scope"]:
        """This scope, and all scopes that it includes."""
        if self is Scope.METRICS:
            return frozenset({self})
        every = list(Scope)
        return frozenset(every[: every.index(self) + 1])

    @property
    def requested(self) -> tuple["Scope", ...]:
        """Scopes for a client to request from an identity provider, in order.

        Leave out `METRICS`, unless this scope is `METRICS` itself: `ADMIN` includes `METRICS` even if it isn't
        requested, and a provider that doesn't know `METRICS` would reject the request.
        """
        return tuple(each for each in Scope if each in self.held and (each is self or each is not Scope.METRICS))


def scopes_named(names: Iterable[str]) -> frozenset[Scope]:
    """Parse names of scopes, and add included scopes. Ignore unknown names, such as other services' scopes."""
    known = {each.value: each for each in Scope}
    return frozenset(scope for name in names if name in known for scope in known[name].held)


def is_tenant(_instance: Any, attribute: "Attribute[Any]", value: str) -> None:
    """Validate the name of a tenant: it must not be blank, and every storage must be able to store it."""
    is_text(_instance, attribute, value)
    not_blank(_instance, attribute, value)
    if as_key(value) != value:
        raise InvalidValueError(
            name=attribute.name,
            given="a longer text, or a text with characters that can't be stored",
            allowed=f"a text of at most {MAX_KEY_CHARACTERS} characters",
        )


@frozen(kw_only=True)
class Grant:
    """Rights of an authenticated caller.

    Attributes:
        tenant: Tenant of the caller.
        scopes: Granted scopes, including implied scopes.
        project: Id of the only project that the caller may use; None if the caller may use all projects.
        author: Author of memories saved by the caller; None if unknown.
        name: Name of the token or subject, for rate limits and logs; never a secret.
    """

    tenant: str = field(validator=is_tenant)
    scopes: frozenset[Scope] = field(validator=instance_of(frozenset))
    project: str | None = field(default=None, validator=instance_of(str | None))
    author: str | None = field(default=None, validator=instance_of(str | None))
    name: str = field(validator=[is_text, not_blank])

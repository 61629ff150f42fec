"""Errors about access."""

from attrs import frozen

from lamella.domain.errors import LamellaError
from lamella.domain.text.printing import echo


class TokenInvalidError(LamellaError):
    """An access token is unknown, expired or revoked. The message doesn't say which: that would help attackers."""

    def __str__(self) -> str:
        return "This access token is unknown, expired or revoked. Make a new one with: lamella token create"


@frozen(kw_only=True)
class UnknownTokenError(LamellaError):
    """No access token, or more than one token, has an id that begins with the given text."""

    asked: str
    tenant: str

    def __str__(self) -> str:
        return (
            f"No access token of the tenant {echo(self.tenant)!r}, or more than one, has an id that begins with"
            f" {echo(self.asked)!r}. Name another tenant with --tenant, or list tokens with: lamella token list"
        )


@frozen(kw_only=True)
class UnknownTenantError(LamellaError):
    """The tenant has neither projects nor tokens in the storage."""

    asked: str

    def __str__(self) -> str:
        return f"There is no tenant {echo(self.asked)!r}. List tenants with: lamella tenant list"

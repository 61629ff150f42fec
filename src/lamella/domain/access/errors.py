"""Errors about access."""

from attrs import frozen

from lamella.domain.errors import LamellaError
from lamella.domain.text.printing import echo


class TokenInvalidError(LamellaError):
    """An access token is unknown, expired or revoked: which of them is nobody's business but its owner's."""

    def __str__(self) -> str:
        return "This access token is unknown, expired or revoked. Make a new one with: lamella token create"


@frozen(kw_only=True)
class UnknownTokenError(LamellaError):
    """No access token, or more than one, has an id that begins like this."""

    asked: str

    def __str__(self) -> str:
        return f"No single access token has the id {echo(self.asked)!r}. List them with: lamella token list"

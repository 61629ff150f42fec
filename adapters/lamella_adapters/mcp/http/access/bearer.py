"""Authentication by bearer tokens of lamella, or of an identity provider."""

import re
from collections.abc import Callable

from attrs import frozen

from lamella.domain.access.errors import TokenInvalidError
from lamella.domain.access.grant import Grant
from lamella.domain.access.token import PREFIX
from lamella_adapters.mcp.http.access.authenticator import Authenticator
from lamella_adapters.mcp.http.access.challenges import Challenges

MAX_CHARACTERS = 16_384
"""Maximum length of the header `Authorization`; longer ones are rejected."""

_BEARER = re.compile(r"Bearer +([A-Za-z0-9._~+/-]+=*)", re.IGNORECASE)


@frozen
class BearerAuthenticator(Authenticator):
    """Authenticates callers by the token in the header `Authorization`.

    Attributes:
        challenges: Builds the errors.
        of_token: Returns the grant of one of our own access tokens.
        of_oauth: Returns the grant of an OAuth access token, or raises `RefusedError`; None without a provider.
    """

    challenges: Challenges
    of_token: Callable[[str], Grant]
    of_oauth: Callable[[str], Grant] | None = None

    def grant(self, authorization: str | None) -> Grant:
        """See `Authenticator.grant`."""
        if not authorization:
            raise self.challenges.missing()
        given = _BEARER.fullmatch(authorization) if len(authorization) <= MAX_CHARACTERS else None
        if given is None:
            raise self.challenges.invalid("The header Authorization must be 'Bearer', a space and a token.")
        token = given[1]
        if self.of_oauth is not None and not token.startswith(PREFIX):
            return self.of_oauth(token)
        try:
            return self.of_token(token)
        except TokenInvalidError as error:
            raise self.challenges.invalid(str(error)) from None

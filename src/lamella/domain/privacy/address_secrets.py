"""Find tokens in place of a user in addresses: `https://token@host`."""

from lamella.domain.privacy.secret_likelihood import is_secret_literal

_SHORTEST = 16
"""Shorter ones are taken for names of users."""
_LONGEST = 300


def address_secrets(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each token that stands alone before the host of an address: in order."""
    found = []
    start = text.find("://")
    while start >= 0:
        begin = start + len("://")
        at = text.find("@", begin, begin + _LONGEST)
        user = text[begin:at] if at - begin >= _SHORTEST else ""
        if user and is_secret_literal(user, password=False) and user.replace("_", "").replace("-", "").isalnum():
            found.append((begin, at))
        start = text.find("://", begin)
    return found

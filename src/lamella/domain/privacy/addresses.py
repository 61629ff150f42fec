"""Find secrets in addresses: `https://token@host`, and without a scheme `ada:secret@tcp(db:3306)`."""

from lamella.domain.privacy.secret_likelihood import is_given_value, is_secret_literal
from lamella.domain.privacy.signs import places_of

_SHORTEST = 16
"""Minimum length of a token before a host. A shorter text may be a user name."""
_LONGEST = 300
_LONGEST_PAIR = 160
_ENDS = {ord(each): " " for each in "\"'`<>()[]{}\\,;"}
_NO_USERS = frozenset(
    """
    mailto xmpp sip sips acct npm user email mail login from to cc by author git ssh http
    """.split()  # noqa: SIM905 - words in lines are easier to read and correct
)
_NETWORKS = ("tcp(", "udp(", "unix(", "cloudsql(", "(", "/")
"""Text after `@` in data source names of Go drivers."""


def address_secrets(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each secret in an address, in order."""
    found = []
    for at in places_of("@", text):
        secret = _token(text, at) or _password(text, at)
        if secret is not None:
            found.append(secret)
    return found


def _token(text: str, at: int) -> tuple[int, int] | None:
    """Return the span of a token that takes the place of user and password: `https://token@host`."""
    scheme = text.rfind(":/", max(0, at - _LONGEST), at)
    user = text[scheme + len(":/") : at].removeprefix("/")
    is_token = (
        scheme >= 0
        and len(user) >= _SHORTEST
        and user.replace("_", "").replace("-", "").isalnum()
        and is_secret_literal(user, password=False)
    )
    return (at - len(user), at) if is_token else None


def _password(text: str, at: int) -> tuple[int, int] | None:
    """Return the span of the password in an address without a scheme: `ada:secret@host`."""
    before = text[max(0, at - _LONGEST_PAIR) : at].translate(_ENDS)
    word = before[max(map(before.rfind, (" ", "\n", "\t"))) + 1 :]
    user, colon, password = word.partition(":")
    user = user.rpartition("=")[2].lstrip("+-")
    if not colon or "/" in user or password.startswith("/") or not user[:1].isalpha() or user.lower() in _NO_USERS:
        return None
    behind = text[at + 1 : at + 1 + _LONGEST_PAIR]
    is_source = behind.startswith(_NETWORKS)
    host = behind.translate(_ENDS).partition(" ")[0].partition("\n")[0]
    name, sign, rest = host.partition(":" if ":" in host else "/")
    is_host = (
        sign != ""
        and not name.startswith("sha")
        and name[:1].isalnum()
        and name.replace(".", "").replace("-", "").isalnum()
    )
    is_host = is_host and (sign == "/" or rest[:2].isdigit())
    if is_source or is_host:
        secret = is_given_value(password, plain=True) if is_source else is_secret_literal(password, password=True)
        return (at - len(password), at) if secret else None
    return None

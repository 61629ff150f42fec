"""Published formats of keys and tokens (`tokens.tsv`), and the choice of formats to search a text for."""

from lamella.domain.tables import read_patterns

# Start of a format: not inside of a word, except after a diff sign or an escaped line break.
BEGINS = r"(?:(?<![\w-])|(?<=[^\w-]-)|(?<=\A-)|(?<=\\[nrt]))"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

# Header and payload of a JSON web token are base64url of a JSON object; an encrypted one has five parts.
_JWT = (
    r"eyJ[A-Za-z0-9_-]{10,}\.(?:eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"
)

# Private keys, PEM and PGP, also as JSON strings and in a diff; truncated ones up to their end.
_PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:(?!-----BEGIN )[\s\S])*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\\[nr]|\s)+[+-]?(?:[A-Za-z-]+: [^\n]*|[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/=]+\Z))+)"
)
_PUTTY_KEY = r"(?P<kept>Private-Lines: \d+)(?:(?:\\[nr]|\s)+[+-]?[A-Za-z0-9+/=]{4,}(?![\w+/=:-]))+"
_CRYPT = (
    r"\$(?:(?:apr1|1|5|6|y)\$(?:[A-Za-z0-9=./]{1,40}\$){1,3}[./A-Za-z0-9]{22,90}|2[aby]\$\d\d\$[./A-Za-z0-9]{53}"
    r"|argon2id?\$v=\d{1,3}\$[a-z0-9,=]{1,60}\$[A-Za-z0-9+/]{8,90}\$[A-Za-z0-9+/]{22,90})"
)

_TABLE = read_patterns(
    __file__,
    "tokens.tsv",
    {
        "begins": BEGINS,
        "uuid": _UUID,
        "jwt": _JWT,
        "private_key": _PRIVATE_KEY,
        "putty_key": _PUTTY_KEY,
        "crypt": _CRYPT,
    },
)
HEADS, INSIDE, MARKED, HEADERS = (_TABLE[section] for section in ("words", "inside", "marked", "headers"))
"""Signs and the formats to search for if a text has the sign, in a list for each kind of sign.

The signs in `HEADS` are beginnings of a word (their formats lack `BEGINS`), in `INSIDE` parts of a word, in
`MARKED` parts of the text, and in `HEADERS` texts before a long word.
"""

_WITH_TWO_DOTS = BEGINS + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w-])"  # Discord
_WITH_ONE_DOT = BEGINS + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"  # Airtable
# Passwords in connection strings. User, host and scheme aren't redacted. A URL normalised as a path has one slash:
# `https:/ada:…@`.
_PLACEHOLDERS = r"\*{3,9}@|(?i:password|passwd|pass|pwd|pw|secret|token|guest|x{3,9}|!change_?me!|\.\.\.)@"
_CREDENTIALS_IN_URL = (
    r"(?P<kept>(?:(?<=:/)/|(?<=\w\w:/))[^\s:/?#'\"<>]{0,100}:)"
    rf"(?!{_PLACEHOLDERS})[^\s/@'\"<>\[{{$]{{3,200}}(?=@[A-Za-z0-9\[{{$%])"
)

IN_URL, DOTTED = ":/", "."
"""Signs of passwords in URLs, and of tokens with dots."""

_FORMATS = (
    *MARKED,
    (IN_URL, _CREDENTIALS_IN_URL),
    *HEADERS,
    *((sign, BEGINS + format) for signs, format in HEADS for sign in signs.split()),
    *INSIDE,
    (DOTTED, _WITH_TWO_DOTS),
    (DOTTED, _WITH_ONE_DOT),
)


_SCHEMES = frozenset(sign for sign, _ in HEADERS)


def formats_of(signs: set[str], text: str) -> list[str]:
    """Return the formats, as regular expressions, to search for in a text with some of their signs.

    Replace the whole match except the group `kept`, if there is one.
    """
    return list(dict.fromkeys(format for sign, format in _FORMATS if sign in signs and _is_worth(sign, text)))


def _is_worth(sign: str, text: str) -> bool:
    if sign == IN_URL:
        return _has_password_in_url(text)
    return sign not in _SCHEMES or _has_long_word_after(sign, text)


_LEAST = 20
"""Minimum number of characters of a token in a header."""


def _has_password_in_url(text: str) -> bool:
    start = -1
    while (start := text.find(IN_URL, start + 1)) >= 0:
        user, at, _ = text[start + 2 : start + 306].removeprefix("/").partition("/")[0].rpartition("@")
        if at and ":" in user:
            return True
    return False


def _has_long_word_after(sign: str, text: str) -> bool:
    start = -1
    while (start := text.find(sign, start + 1)) >= 0:
        following = text[start + len(sign) : start + len(sign) + _LEAST].split(maxsplit=1)
        if following and len(following[0]) == _LEAST:
            return True
    return False

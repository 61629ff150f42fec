"""Formats of keys and tokens that their issuers publish (`tokens.tsv`)."""

from lamella.domain.tables import read_patterns

# Where a format begins: not inside a word; after the sign of a line in a diff, or an escaped line break, it may.
BEGINS = r"(?:(?<![\w-])|(?<=[^\w-]-)|(?<=\A-)|(?<=\\[nrt]))"
_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

# Header and payload of a JSON web token are base64url of a JSON object; an encrypted one has five parts.
_JWT = (
    r"eyJ[A-Za-z0-9_-]{10,}\.(?:eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"
    r"|[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"
)

# Private keys, PEM and PGP, also as JSON strings and in a diff; of one that was cut off, what is there.
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
TOKENS = _TABLE["words"]
"""Beginnings of words that may be tokens of a format, and the format without `BEGINS`."""
INSIDE = _TABLE["inside"]
"""Parts of words anywhere in a token, and the format."""
MARKED = _TABLE["marked"]
"""Parts of a text that may hold a secret, and its format."""
HEADERS = _TABLE["headers"]
"""Text before a long word, and the format."""

WITH_TWO_DOTS = BEGINS + r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w-])"  # Discord
WITH_ONE_DOT = BEGINS + r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b"  # Airtable
# Passwords inside connection strings; user, host and scheme stay.
CREDENTIALS_IN_URL = r"(?<=://)(?P<kept>[^\s:/?#'\"<>]{0,100}:)(?!\*\*\*@|(?i:password|passwd|pass|pwd|pw|secret|token|x{3,9}|!change_?me!|\.\.\.)@)[^\s/@'\"<>\[{$]{3,200}(?=@[A-Za-z0-9\[{$%])"

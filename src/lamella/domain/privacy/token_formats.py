"""Published formats of keys and tokens (`tokens.tsv`), and the choice of formats to search a text for."""

from lamella.domain.privacy.signs import places_of
from lamella.domain.tables import read_patterns

_TABLE = read_patterns(__file__, "tokens.tsv")
HEADS, INSIDE, MARKED, HEADERS = (_TABLE[section] for section in ("words", "inside", "marked", "headers"))
"""Formats of tokens, each with a sign. A format is searched for only in texts with its sign.

The lists differ in the position of the sign: at the beginning of a word (`HEADS`), in a word (`INSIDE`), anywhere
in the text (`MARKED`), or before a long word (`HEADERS`). Formats in `HEADS` lack `<begins>`, the pattern for the
beginning of a word, which `_FORMATS` adds.
"""

IN_URL = ":/"
"""Sign of passwords in URLs."""

_BEGINS = dict(_TABLE["parts"])["begins"]
_FORMATS = (
    *MARKED,
    *_TABLE["url"],
    *HEADERS,
    *((sign, _BEGINS + format) for signs, format in HEADS for sign in signs.split()),
    *INSIDE,
    *_TABLE["dotted"],
)


_SCHEMES = frozenset(sign for sign, _ in HEADERS)


def formats_of(signs: set[str], text: str) -> list[str]:
    """Return the formats to search `text` for, as regular expressions. `signs` are the signs found in the text.

    In a match, the secret is the part after the optional group `kept`.
    """
    return list(dict.fromkeys(format for sign, format in _FORMATS if sign in signs and _is_worth(sign, text)))


def _is_worth(sign: str, text: str) -> bool:
    if sign == IN_URL:
        return _has_password_in_url(text)
    return sign not in _SCHEMES or _has_long_word_after(sign, text)


_LEAST = 20
"""Minimum number of characters of a token in a header."""


def _has_password_in_url(text: str) -> bool:
    behind = (text[at + 2 : at + 306].removeprefix("/").partition("/")[0] for at in places_of(IN_URL, text))
    return any(":" in each.rpartition("@")[0] for each in behind)


def _has_long_word_after(sign: str, text: str) -> bool:
    behind = (text[at + len(sign) : at + len(sign) + _LEAST].split(maxsplit=1) for at in places_of(sign, text))
    return any(words and len(words[0]) == _LEAST for words in behind)

"""Fast tests for the formats of keys and tokens that a text may hold.

Hooks check every text before it is written, and most texts hold no secret. So this module imports nothing but the
table, and plain strings decide which formats are worth looking for.
"""

from lamella.domain.privacy.token_table import (
    BEGINS,
    CREDENTIALS_IN_URL,
    HEADERS,
    INSIDE,
    MARKED,
    TOKENS,
    WITH_ONE_DOT,
    WITH_TWO_DOTS,
)

_LEAST = 20
"""No format has fewer characters in a row, so that shorter words can be skipped."""

_DOTTED_LEAST = 58
_DOTTED_HEADS = "MNOp"
"""Two formats begin with no more than a letter or a common word: they are tried on long words with a dot."""
_RARE = "$~=/_:-"
_MARKED_RARELY = tuple(
    (next((each for each in _RARE if each in sign), ""), sign, format) for sign, format in MARKED
)
"""The same behind a character of it that few texts have, which is looked for faster."""

_BY_HEAD: dict[str, list[tuple[str, str]]] = {}
"""The same beginnings and their formats by the first two characters."""
for _signs, _format in TOKENS:
    for _sign in _signs.split():
        _BY_HEAD.setdefault(_sign[:2], []).append((_sign, BEGINS + _format))
_IN_WORDS = b"-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_WORDS_ONLY = bytes([each if each in _IN_WORDS else ord(" ") for each in range(256)])


def words_in(text: str) -> list[str]:
    """Return the words of ASCII letters, digits, `_`, `-` and `.`, without the signs of a diff."""
    separated = text.encode("ascii", "replace")
    if b"\\" in separated:
        separated = separated.replace(b"\\n", b" ").replace(b"\\r", b" ").replace(b"\\t", b" ")
    if b"\n-" in separated:
        separated = separated.replace(b"\n-", b"\n ")
    return separated.translate(_WORDS_ONLY).decode("ascii").removeprefix("-").split()


_JOINTS = {ord(each): " " for each in "._-"}


def parts_of(words: list[str]) -> frozenset[str]:
    """Return the parts of words between `.`, `_` and `-`, in small letters."""
    return frozenset(" ".join(words).translate(_JOINTS).lower().split())


def places_of(part: str, text: str) -> list[int]:
    """Return where a part of a text stands, in order."""
    places = []
    at = -1
    while (at := text.find(part, at + 1)) >= 0:
        places.append(at)
    return places


def formats_in(text: str, words: list[str]) -> list[str]:
    """Return the formats, as regular expressions, that are worth looking for in a text of these words.

    Replace the whole match except the group `kept`, if there is one.
    """
    found = [format for rare, sign, format in _MARKED_RARELY if rare in text and sign in text]
    if "@" in text and _has_password_in_url(text):
        found.append(CREDENTIALS_IN_URL)
    found += [format for sign, format in HEADERS if sign in text and _has_long_word_after(sign, text)]
    long = [word.lstrip("-_.") for word in words if len(word) >= _LEAST]
    if long:
        found += _formats_of_words(long)
    return list(dict.fromkeys(found))


def _formats_of_words(words: list[str]) -> list[str]:
    """Return the formats that some long words may have."""
    found = [format for word in words for sign, format in _BY_HEAD.get(word[:2], ()) if word.startswith(sign)]
    joined = " ".join(words)
    found += [format for sign, format in INSIDE if sign in joined]
    if any(len(word) >= _DOTTED_LEAST and word[0] in _DOTTED_HEADS and "." in word for word in words):
        found += [WITH_TWO_DOTS, WITH_ONE_DOT]
    return found


def _has_password_in_url(text: str) -> bool:
    start = -1
    while (start := text.find("://", start + 1)) >= 0:
        user, at, _ = text[start + 3 : start + 306].partition("/")[0].rpartition("@")
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

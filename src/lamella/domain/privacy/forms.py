"""Find secrets by the form of a statement, a line of configuration or a sentence.

Hooks check every text: regular expressions are imported only for a text that has a sign of some form.
"""

from lamella.domain.privacy.form_table import COOKIES, GIVEN, PAIR, ROWS, STRONG
from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_literal, is_secret_word
from lamella.domain.privacy.token_formats import words_in

Span = tuple[int, int]
"""Start and end of a part of a text."""

_OF_A_SESSION = tuple("sess sid auth token jwt csrf xsrf remember login identity secure key".split())  # noqa: SIM905
_NOCOOKIES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version"})
_LONGEST_LINE = 200


def _word_of(sign: str) -> str:
    """Return the longest word that a text of a sign must have as one of its own; empty if it need not."""
    words = words_in(sign.translate({ord("_"): " ", ord("-"): " ", ord("."): " "}))
    longest = max(words, key=len, default="").lower()
    return longest if not sign.lower().endswith(longest) and sign.isascii() else ""


_SIGNS = tuple(
    (tuple((_word_of(sign), sign) for sign in signs.split(";")), pattern.replace(r"\h", r"[ \t]"), which)
    for signs, pattern, which in ROWS
)


def stated_secrets(text: str, parts: frozenset[str]) -> list[Span]:
    """Return the start and end of each secret that a text of these parts of words states in one of the forms.

    They may overlap.
    """
    lower = text.lower()
    rows = [
        (pattern, which)
        for signs, pattern, which in _SIGNS
        for word, sign in signs
        if (not word or word in parts) and sign in (text if sign.isupper() else lower)
    ]
    has_cookies = "cookie" in lower or "curl" in lower
    if not rows and not has_cookies:
        return []
    found: set[Span] = set()
    for pattern, which in rows:
        found.update(_matches(pattern, text, which))
    if has_cookies:
        found.update(_cookies(text))
    return list(found)


def _matches(pattern: str, text: str, which: str) -> list[Span]:
    import re  # noqa: PLC0415 - most texts have no such form

    found = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        begin, end = match.span("secret")
        is_quoted = "q" in match.re.groupindex and match["q"] is not None
        value = match["secret"] if is_quoted else match["secret"].rstrip(".,;:)")
        line = text[match.start() : begin]
        plain = which == GIVEN and (
            is_quoted or not in_prose(line + text[end : end + _LONGEST_LINE].partition("\n")[0])
        )
        believed = is_password_or_token(value) if which == STRONG else is_given_value(value, plain=plain)
        if value and believed:
            found.append((begin, begin + len(value)))
    return found


def is_password_or_token(value: str) -> bool:
    """Return True if a word in a sentence looks like a password or a token."""
    return value != "" and any(is_secret_word(value, "", password=each, alone=False) for each in (True, False))


def _cookies(text: str) -> list[Span]:
    import re  # noqa: PLC0415 - most texts have none

    found = []
    for cookies in re.finditer(COOKIES, text, re.IGNORECASE):
        for pair in re.finditer(PAIR, cookies["pairs"]):
            name, value = pair["name"].lower(), pair["secret"]
            is_secret = name not in _NOCOOKIES and (
                (is_secret_literal(value, password=False) and any(map(str.isdigit, value)))
                or (any(each in name for each in _OF_A_SESSION) and is_given_value(value, plain=False))
            )
            if is_secret:
                begin = cookies.start("pairs")
                found.append((begin + pair.start("secret"), begin + pair.end("secret")))
    return found

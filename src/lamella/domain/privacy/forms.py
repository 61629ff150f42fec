"""Find secrets by the form of a statement, a line of configuration or a sentence.

Hooks check every text: regular expressions are imported only for a text that has a sign of some form.
"""

from lamella.domain.privacy.form_table import COOKIES, DRAWN, GIVEN, PAIR
from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_literal
from lamella.domain.privacy.token_formats import parts_of, words_in

Span = tuple[int, int]
"""Start and end of a part of a text."""

_OF_A_SESSION = tuple("sess sid auth token jwt csrf xsrf remember login identity secure key".split())  # noqa: SIM905
_NOCOOKIES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version"})
_LONGEST_LINE = 200


_BY_WORD: dict[str, list[tuple[str, str, bool]]] = {}
"""Signs, their patterns, and whether any value is a secret, by a word that a text with the sign must have."""


def _word_of(sign: str) -> str:
    """Return the longest word that a text of a sign must have as one of its own; empty if it need not."""
    longest = max(parts_of(words_in(sign)), key=len, default="")
    return longest if not sign.lower().endswith(longest) and sign.isascii() else ""


for _forms, _given in ((GIVEN, True), (DRAWN, False)):
    for _signs, _pattern in _forms:
        for _sign in _signs.replace("<tab>", "\t").split(";"):
            _BY_WORD.setdefault(_word_of(_sign), []).append((_sign, _pattern.replace(r"\h", r"[ \t]"), _given))


def stated_secrets(text: str, parts: frozenset[str]) -> list[Span]:
    """Return the start and end of each secret that a text of these parts of words states in one of the forms.

    They may overlap.
    """
    lower = text.lower()
    rows = {
        (pattern, given)
        for word in _BY_WORD.keys() & parts | {""}
        for sign, pattern, given in _BY_WORD[word]
        if sign in (text if sign.isupper() else lower)
    }
    found = {place for pattern, given in rows for place in _matches(pattern, text, given=given)}
    if "cookie" in lower or "curl" in lower:
        found.update(_cookies(text))
    return list(found)


def _matches(pattern: str, text: str, *, given: bool) -> list[Span]:
    import re  # noqa: PLC0415 - most texts have no such form

    found = []
    for match in re.finditer(pattern, text, re.IGNORECASE):
        begin, end = match.span("secret")
        is_quoted = "q" in match.re.groupindex and match["q"] is not None
        value = match["secret"] if is_quoted else match["secret"].rstrip(".,;:)")
        line = text[match.start() : begin]
        plain = given and (is_quoted or not in_prose(line + text[end : end + _LONGEST_LINE].partition("\n")[0]))
        if value and is_given_value(value, plain=plain):
            found.append((begin, begin + len(value)))
    return found


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

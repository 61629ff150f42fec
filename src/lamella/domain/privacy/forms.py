"""Find secrets by the form of a statement, a line of configuration or a sentence (`forms.tsv`)."""

import re

from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_literal
from lamella.domain.tables import read_patterns

Span = tuple[int, int]
"""Start and end of a part of a text."""

_OF_A_SESSION = tuple("sess sid auth token jwt csrf xsrf remember login identity secure key".split())  # noqa: SIM905
_NOCOOKIES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version"})
_LONGEST_LINE = 200

_TABLE = read_patterns(__file__, "forms.tsv")
FORMS = tuple(
    (signs.replace("<tab>", "\t").split(";"), pattern.replace(r"\h", r"[ \t]"), section == "given")
    for section in ("given", "drawn")
    for signs, pattern in _TABLE[section]
)
"""For each form: its signs, its pattern, and a flag.

If the flag is True, any value is a secret, except placeholders and words of a sentence. If the flag is False, a
value is a secret only if it has digits, signs or random letters.
"""

COOKIE_SIGNS = ("cookie", "curl")
(_, _COOKIES), (_, _PAIR) = _TABLE["cookies"]


def stated_secrets(text: str, signs: set[str]) -> list[Span]:
    """Return the spans of secrets in statements of known forms. Spans may overlap.

    `signs` are the signs of forms found in the text.
    """
    rows = {(pattern, given) for each, pattern, given in FORMS if not signs.isdisjoint(each)}
    found = {place for pattern, given in rows for place in _matches(pattern, text, given=given)}
    return list(found) if signs.isdisjoint(COOKIE_SIGNS) else [*found.union(_cookies(text))]


def _matches(pattern: str, text: str, *, given: bool) -> list[Span]:
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
    found = []
    for cookies in re.finditer(_COOKIES, text, re.IGNORECASE):
        for pair in re.finditer(_PAIR, cookies["pairs"]):
            name, value = pair["name"].lower(), pair["secret"]
            is_secret = name not in _NOCOOKIES and (
                (is_secret_literal(value, password=False) and any(map(str.isdigit, value)))
                or (any(each in name for each in _OF_A_SESSION) and is_given_value(value, plain=False))
            )
            if is_secret:
                begin = cookies.start("pairs")
                found.append((begin + pair.start("secret"), begin + pair.end("secret")))
    return found

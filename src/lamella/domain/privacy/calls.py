"""Find secrets among positional arguments (`calls.tsv`): `mysqli(host, user, "…")`, `jwt.sign(x, "…")`."""

from lamella.domain.privacy import expressions, secret_likelihood
from lamella.domain.privacy.signs import after, lowered, places_of
from lamella.domain.tables import read_rows

Span = tuple[int, int]
"""Start and end of a part of a text."""

PLACES = {name: places for names, places in read_rows(__file__, "calls.tsv") for name in names.split()}
"""Positions of secrets among a function's arguments, by name of the function.

A key `*name` stands for all functions whose names end with `name`.
"""

PAIRS = (
    *("auth=", "auth =", "auth:", "auth :", 'auth":', "auth':", "auth' =>", 'auth" =>'),
    *("credentials=", "credentials ="),
)
"""Text before a pair of user and password in a list or tuple."""

_QUOTES = ('\\"', "\\'", '"', "'", "`")
_SIGNS = frozenset("\\\"'`")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_CLOSING_BARE = _CLOSING | {"\n", ";"}
_LONGEST_CALL = 400
_LONGEST_BARE = 120
_DEEPEST = 6


def called_secrets(text: str, signs: set[str]) -> list[Span]:
    """Return the spans of secrets in calls of known functions, or in pairs. The spans may overlap."""
    lower = lowered(text)
    found: set[Span] = set()
    for name, places in PLACES.items():
        ending = name.removeprefix("*")
        for at in places_of(ending, lower) if ending in signs else ():
            if ending != name or not name[0].isalpha() or not _continues_word(lower, at):
                found.update(_secrets_of(text, _arguments_begin(text, at + len(ending)), places))
    for sign in signs.intersection(PAIRS):
        for at in places_of(sign, lower):
            begin = after(text, at + len(sign), " \t", most=_LONGEST_CALL)
            if text[begin : begin + 1] in {"(", "["}:
                pair = _secrets_of(text, begin + 1, "2")
                is_named = "'" in sign or '"' in sign
                found.update(
                    place
                    for place in pair
                    if not is_named or secret_likelihood.is_secret_literal(text[slice(*place)], password=True)
                )
    return list(found)


def _continues_word(text: str, at: int) -> bool:
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_")


def _arguments_begin(text: str, end: int) -> int:
    """Return the start of the first argument after the name of a function; -1 if the function isn't called.

    Parentheses aren't required, because Ruby calls functions without them.
    """
    place = after(text, end, " \t", most=_LONGEST_CALL)
    if text[place : place + 1] == "(":
        return place + 1
    is_bare = place > end and (text.startswith(_QUOTES, place) or text[place : place + 1].isalpha())
    return place if is_bare and any(quote in text[place : place + _LONGEST_CALL] for quote in "\"'") else -1


def _secrets_of(text: str, begin: int, places: str) -> list[Span]:
    """Return the secrets among the arguments starting at `begin`."""
    if begin < 0:
        return []
    arguments, is_whole = _arguments(text, begin)
    found = []
    for place in places.split():
        number = int(place)
        if number < 0 and (not is_whole or len(arguments) < len(("user", "password"))):
            continue
        literal = arguments[number - (number > 0)] if number <= len(arguments) else None
        value = text[slice(*literal)] if literal else ""
        if literal and value and secret_likelihood.is_given_value(value, plain=True) and not is_address(value):
            found.append(literal)
    return found


def is_address(value: str) -> bool:
    """Return True for an e-mail address."""
    user, at, host = value.partition("@")
    return user != "" and at != "" and "." in host and host.replace(".", "").replace("-", "").isalpha()


def _arguments(text: str, begin: int) -> tuple[list[Span | None], bool]:
    """Return the arguments of a call, and True if the end of the call was found.

    Each argument is the span of a string literal without quotes, or None for anything else.
    """
    arguments: list[Span | None] = []
    literal: Span | None = None
    at = argument = begin
    is_bare = text[begin - 1] not in _OPENING
    last = min(len(text), begin + (_LONGEST_BARE if is_bare else _LONGEST_CALL))
    closing = _CLOSING_BARE if is_bare else _CLOSING
    depth = 0
    while at < last and depth <= _DEEPEST:
        quote = next((each for each in _QUOTES if text.startswith(each, at)), "") if text[at] in _SIGNS else ""
        if quote:
            end = text.find(quote, at + len(quote), last)
            if end < 0 or "\n" in text[at:end]:
                break
            if expressions.is_wrapper(text[argument:at]):
                literal = (at + len(quote), end)
            at = end + len(quote)
            continue
        if depth == 0 and (text[at] == "," or text[at] in closing):
            arguments.append(literal)
            literal, argument = None, at + 1
            if text[at] != ",":
                return arguments, True
        depth += (text[at] in _OPENING) - (text[at] in _CLOSING)
        at += 1
    return [*arguments, literal], at == len(text)

"""Find secrets that a function takes by position: `new mysqli(host, user, "…")`, `jwt.sign(x, "…")` (`calls.tsv`).

Hooks check every text. So this module imports nothing but the judgement of values.
"""

from lamella.domain.privacy.secret_likelihood import is_given_value, is_secret_literal
from lamella.domain.privacy.token_formats import places_of, words_in
from lamella.domain.tables import read_rows

Span = tuple[int, int]
"""Start and end of a part of a text."""

_ROWS = read_rows(__file__, "calls.tsv")
_ENDINGS = tuple((name[1:], places) for names, places in _ROWS for name in names.split() if name[0] == "*")
_BY_PART: dict[str, list[tuple[str, str]]] = {}
"""The other names and their places by the last part of the name, which a text must have as a word."""
for _names, _places in _ROWS:
    for _name in _names.split():
        if _name[0] != "*":
            _BY_PART.setdefault(words_in(_name.replace("_", " ").replace(".", " "))[-1], []).append(
                (_name, _places)
            )

_PAIRS = (
    *("auth=", "auth =", "auth:", "auth :", 'auth":', "auth':", "auth' =>", 'auth" =>'),
    *("credentials=", "credentials ="),
)
"""What is before a pair of user and password in a list or tuple."""

WRAPPERS = tuple(
    """
    []byte buffer.from string::from some secretstr securestring secret str bytes string option.some secret::new
    secretstring::new secretstring::from secretvalue.unsafeplaintext secretvalue.plaintext pulumi.secret
    output.create password optional.of encoding.utf8.getbytes encoding.ascii.getbytes b64decode base64.b64decode
    atob base64.decode base64.stdencoding.decodestring to_string box::new
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
)
"""Functions that make something of a string of the same meaning."""

_QUOTES = ('\\"', "\\'", '"', "'", "`")
_PREFIXES = "rbfuRBFUNL@$"
_SIGNS = frozenset("\\\"'`")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_CLOSING_BARE = _CLOSING | {"\n", ";"}
_LONGEST_CALL = 400
_LONGEST_BARE = 120
_DEEPEST = 6
_LONGEST_WRAPPER = 40


def called_secrets(text: str, parts: frozenset[str]) -> list[Span]:
    """Return the start and end of each secret that a text of these parts of words gives to a known function.

    They may overlap.
    """
    if not any(quote in text for quote in "\"'`"):
        return []
    lower = text.lower()
    if len(lower) != len(text):
        lower = text.replace("\u0130", "I").lower()
    found: set[Span] = set()
    whole = [row for part in _BY_PART.keys() & parts for row in _BY_PART[part]]
    for rows, is_ending in ((whole, False), (_ENDINGS, True)):
        for name, places in rows:
            for at in places_of(name, lower):
                if is_ending or not name[0].isalpha() or not _continues_word(lower, at):
                    found.update(_secrets_of(text, _arguments_begin(text, at + len(name)), places))
    for sign in _PAIRS:
        for at in places_of(sign, lower):
            begin = _past(text, at + len(sign))
            if text[begin : begin + 1] in {"(", "["}:
                pair = _secrets_of(text, begin + 1, "2")
                is_named = "'" in sign or '"' in sign
                found.update(
                    place
                    for place in pair
                    if not is_named or is_secret_literal(text[slice(*place)], password=True)
                )
    return list(found)


def _continues_word(text: str, at: int) -> bool:
    return at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_")


def _arguments_begin(text: str, end: int) -> int:
    """Return where the first argument begins behind the name of a function; -1 if it is not called.

    Ruby calls without parentheses.
    """
    place = _past(text, end)
    if text[place : place + 1] == "(":
        return place + 1
    is_bare = place > end and (text.startswith(_QUOTES, place) or text[place : place + 1].isalpha())
    return place if is_bare and any(quote in text[place : place + _LONGEST_CALL] for quote in "\"'") else -1


def _past(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def _secrets_of(text: str, begin: int, places: str) -> list[Span]:
    """Return the secrets among the arguments that begin at a place."""
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
        if literal and value and is_given_value(value, plain=True) and not is_address(value):
            found.append(literal)
    return found


def is_address(value: str) -> bool:
    """Return True for an address of mail."""
    user, at, host = value.partition("@")
    return user != "" and at != "" and "." in host and host.replace(".", "").replace("-", "").isalpha()


def _arguments(text: str, begin: int) -> tuple[list[Span | None], bool]:
    """Return the arguments of a call, and whether they were read to their end.

    A literal string is given by its place without quotes, anything else by None.
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
            if is_wrapper(text[argument:at]):
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


def is_wrapper(text: str) -> bool:
    """Return True if what stands before a quote leaves the string what it is: nothing, a prefix, or `[]byte(`."""
    before = text.strip()
    if len(before) <= len("rb"):
        return before.strip(_PREFIXES) == ""
    if len(before) > _LONGEST_WRAPPER or not before.endswith("("):
        return False
    names = before.lower().removeprefix("new ").rstrip("(").split("(")
    return all(name.removeprefix("new ").strip() in WRAPPERS for name in names)

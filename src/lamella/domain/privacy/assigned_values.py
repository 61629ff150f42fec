"""Judge values assigned to names of secrets."""

from lamella.domain.privacy.assignments import GIVEN, LOOSE, SCHEMES, line_before, value_begin
from lamella.domain.privacy.secret_likelihood import (
    SHORTEST_OF_JOINED_WORDS,
    in_prose,
    is_given_value,
    is_joined_words,
    is_secret_literal,
    is_secret_phrase,
    is_secret_setting,
    is_secret_word,
)
from lamella.domain.privacy.secret_names import names_whose
from lamella.domain.privacy.signs import after

_BLANK = frozenset({"", " ", "\t", "\n"})
_LONGEST_NAME = 60
_LONGEST_LINE = 160
_LONGEST_LITERAL = 4096
_LONGEST_JUDGED = 256
_QUOTES = ('\\"', "\\'", '"', "'", "`", "[[")
_CODE = tuple("()[]{}")
_TAKEN_OUT = ("...", "[redacted]", '"[redacted]', "'[redacted]")
_ENDS_OF_TAGS = ("</property>", "</entry>", "</param>")
_CODE_AT_END = ("(", "[", "{", "},", "),", "],")
"""Parts of code. The last word of a line isn't a password if it has such a part.

Any other word isn't a password if it has a part in `_CODE`.
"""

# Characters that end a value: in any text, in prose, and in code or a URL.
_ENDS = {ord(each): " " for each in "\"'`\\<>"}
_ENDS_IN_PROSE = _ENDS | {ord(each): " " for each in ",;()[]{}"}
_ENDS_IN_CODE = _ENDS_IN_PROSE | {ord(each): " " for each in "|&"}


def secret_of(text: str, lower: str, hit: int, name: slice, *, password: bool) -> tuple[int, int] | None:
    """Return the span of the secret assigned to a name; None without a secret.

    Args:
        text: Text to search.
        lower: The text in lower case.
        hit: Offset of the word in the name that stands for a secret, such as `token`.
        name: Span of the name.
        password: True if the secret is a password.
    """
    start, end = name.start, name.stop
    begin, manner = value_begin(text, lower, start, end)
    if begin is None or "arn:" in lower[max(0, start - _LONGEST_NAME) : start].rpartition(" ")[2]:
        return None
    if lower.endswith("id", start, end):
        manner = LOOSE  # `secret_id` and similar names may belong to a public id
    literal = _literal(text, begin)
    if literal:
        if not password and lower[hit:end].startswith(("auth", "cred")):
            literal, password = _behind_user(text, *literal)
        value = text[slice(*literal)]
        given = manner == GIVEN and _is_given(text, start, *literal)
        given = given or (_in_environment(text[start:end], manner) and is_secret_setting(value, password=password))
        given = given or (
            password
            and (
                names_whose(lower, hit)
                or lower.startswith("psk", hit)
                or ("=" in text[end:begin] and value.islower() and len(value) > len("letmein"))
            )
            and is_secret_setting(value, password=True)
        )
        if given or is_secret_literal(value, password=password):
            return literal
        is_phrase = (
            password
            and text[literal[0] - 1] != "`"
            and is_secret_phrase(
                value, words=lower.startswith(("passphrase", "psk"), hit) or text[start:end].isupper()
            )
        )
        return literal if is_phrase else None
    password = password and lower[start:end] != "secret"  # in Kubernetes, `secret:` gives the name of a secret
    return _bare_secret(text, name, begin, manner=manner, password=password)


def _behind_user(text: str, begin: int, end: int) -> tuple[tuple[int, int], bool]:
    """Return the span of the password in `ada:password`, and True; without a user, the whole span and False."""
    user, colon, _ = text[begin:end].partition(":")
    has_user = colon != "" and user.replace("-", "").replace("_", "").isalnum()
    return ((begin + len(user) + 1, end), True) if has_user else ((begin, end), False)


def _bare_secret(text: str, name: slice, begin: int, *, manner: str, password: bool) -> tuple[int, int] | None:
    """Return the span of the unquoted secret at `begin`; None if the word there is not a secret."""
    tight = manner != LOOSE
    in_environment = _in_environment(text[name], manner)
    ends = _ENDS if in_environment else _ENDS_IN_CODE if tight else _ENDS_IN_PROSE
    last, alone = _word(text, begin, ends)
    if text.startswith(("${", "#{"), name.start - 2):
        last = text.find("}", begin, begin + _LONGEST_JUDGED)
        if last < 0:
            return None
    value = text[begin:last]
    is_said = (
        manner == LOOSE and text[name.stop : begin].isspace() and value[:-1].isalpha() and value[-1] in "?!"
    )  # as in "password forgotten?"
    if text.startswith(_TAKEN_OUT, last) or text[begin : begin + 1] == "(" or is_said:
        return None
    if password and text[name.stop : begin] == "=" and not line_before(text, name.start):
        phrase = text[begin : begin + _LONGEST_JUDGED].partition("\n")[0].rstrip()
        if phrase.replace(" ", "").replace("'", "").isalnum() and is_secret_phrase(phrase, words=True):
            return begin, begin + len(phrase)
    if in_environment and text[name.start - 1 : name.start] in _BLANK and _is_word_of_command(text, last):
        manner = GIVEN
    if manner == GIVEN and _is_given(text, name.start, begin, last):
        believed = True
    elif in_environment or (alone and password and text[name].isupper() and value.isalnum()):
        believed = is_secret_setting(value, password=password)
    elif tight and text[name.start - 1 : name.start] in {"?", "&", ";"}:  # in a connection string or a URL's query
        believed = is_secret_literal(value, password=password)
    else:
        believed = is_secret_word(value, text[last : last + 2], password=password, alone=alone or tight)
        is_item = alone or tight or text[last : last + 1] in {",", "}"}
        believed = believed or (is_item and password and not value.isascii() and is_given_value(value, plain=True))
        is_joined = is_joined_words(value, fewest=4 - password)
        believed = believed or (is_item and is_joined and (password or value.islower()))
        believed = believed or (alone and password and _is_setting(text, name, begin, last))
    return (begin, _to_its_end(text, begin, last)) if believed else None


def _is_setting(text: str, name: slice, begin: int, end: int) -> bool:
    """Return True if a word is the value in a line of a properties or XML file, not in code."""
    given, value = text[name], text[begin:end]
    if text.startswith(_ENDS_OF_TAGS, end) or text.startswith(f"</{given}>", end):
        is_setting = text[begin - 1] == ">"
    else:
        is_joined = given.islower() and ("_" in given or "-" in given)
        is_tight = name.stop + 1 == begin and (not value.islower() or not given.isalpha())
        is_setting = (
            not line_before(text, name.start)
            and ("=" in text[name.stop : begin] or (is_joined and not value.islower()))
            and (is_tight if value.islower() else is_tight or is_joined)
        )
    return is_setting and is_secret_setting(value, password=True)


def _in_environment(name: str, manner: str) -> bool:
    return manner != LOOSE and name.lstrip("-").isupper()


def _is_word_of_command(text: str, end: int) -> bool:
    """Return True if a command follows a value: `API_KEY=value program`."""
    return text[end : end + 1] == " " and (
        text[end + 1 : end + 2].isalnum() or text[end + 1 : end + 2] in {".", "/"}
    )


def _is_given(text: str, start: int, begin: int, end: int) -> bool:
    """Return True if a value on a command line is a secret. A plain word in a sentence is no secret."""
    value = text[begin:end]
    if is_given_value(value, plain=False):
        return True
    before = text[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    after = text[end : end + _LONGEST_LINE].partition("\n")[0]
    return is_given_value(value, plain=True) and not in_prose(f"{before} {after}")


def _literal(text: str, begin: int) -> tuple[int, int] | None:
    """Return the span of the string literal at `begin`, without quotes; None without a literal."""
    place = after(text, begin, "rbfuRBFU@", most=2)
    quote = next((quote for quote in _QUOTES if text.startswith(quote, place)), None)
    if quote is None:
        return None
    start = place + len(quote)
    end = _closing(text, start, "]]" if quote == "[[" else quote)
    scheme, _, secret = text[start:end].partition(" ")
    return (end - len(secret), end) if scheme.lower() in SCHEMES else (start, end)


def _closing(text: str, start: int, quote: str) -> int:
    """Return the offset of the closing quote. If the line has no such quote, return the end of the first word."""
    last = start + _LONGEST_LITERAL
    end = text.find(quote, start, last)
    while end > 0 and len(quote) == 1 and text[end - 1] == "\\":
        end = text.find(quote, end + 1, last)
    return end if end >= 0 and "\n" not in text[start:end] else _to_its_end(text, start, start + _LONGEST_JUDGED)


def _word(text: str, begin: int, ends: dict[int, str]) -> tuple[int, bool]:
    """Return the end of the value that starts at `begin`, and True if the value is alone.

    A value is alone if its line ends after it, or if another pair of name and value follows. Any other value ends
    before the first of the characters `ends`.
    """
    stretch = text[begin : begin + _LONGEST_JUDGED]
    whole = _first_word(stretch, _ENDS)
    word = whole.rstrip(",;.")
    rest = stretch[len(whole) :].partition("\n")[0].strip()
    ends_line = word == whole and (not rest or rest.startswith(("#", "\\n", "\\r", '"', "'", "</")))
    ends_line = ends_line or (
        word == whole
        and rest.startswith("}")
        and not (word.isidentifier() and word.islower() and len(word) < SHORTEST_OF_JOINED_WORDS)
    )
    is_code = any(each in word for each in (_CODE if rest else _CODE_AT_END))
    sign = next((each for each in "&;," if _is_pair(word.partition(each)[2])), "")
    if (ends_line or sign) and not is_code:
        return begin + len(word.partition(sign)[0] if sign else word), True
    inner = _first_word(word, ends)
    return begin + len(inner), sign != "" or (ends_line and inner == word)


def _is_pair(text: str) -> bool:
    name, equal, _ = text.partition("=")
    return equal != "" and name.isidentifier()


def _first_word(text: str, ends: dict[int, str]) -> str:
    """Return the beginning of `text` up to white space or one of `ends`."""
    words = text.translate(ends).split(maxsplit=1)
    return words[0] if words and text.startswith(words[0]) else ""


def _to_its_end(text: str, start: int, end: int) -> int:
    """Return the end of the word at `start`, which was judged up to `end`.

    Only the first `_LONGEST_JUDGED` characters of a word are judged. A longer word continues after `end`.
    """
    if end - start < _LONGEST_JUDGED:
        return end
    end = start
    while word := _first_word(text[end : end + _LONGEST_JUDGED], _ENDS):
        end += len(word)
    return end

"""Find secrets by the name they are assigned to: `DB_PASSWORD=...`, `"client_secret": "..."`, `--token ...`.

Hooks check every text. So this module imports nothing but the judgement of values, and reads no part of a text
more than a few times.
"""

from lamella.domain.privacy.secret_likelihood import HITS, is_plain_password, is_secret_literal, is_secret_word

_PASSWORD_WORDS = ("password", "passwd", "passphrase", "passwort", "pass", "pwd")
_SHORT_PASSWORD_WORDS = frozenset({"pass", "pwd"})
"""They must begin a word: there is `bypass`."""

_AFTER_KEY = frozenset(
    """
    s value prod production dev development test staging live old new base64 data
    """.split()  # noqa: SIM905 - words in running lines can be read and mended
) | {""}
_AFTER_SECRET = _AFTER_KEY | {"key", "accesskey", "keybase", "token", "text"}
_AFTER_TOKEN = (_AFTER_KEY | {"secret", "key"}) - {"s"}
_AFTER = {"secret": _AFTER_SECRET, "token": _AFTER_TOKEN, "credential": _AFTER_KEY, "key": _AFTER_KEY}
"""The ends of a name behind the word in it that names a secret."""

_KINDS_OF_KEY = tuple(
    """
    api access private secret encryption encrypt signing sign master account shared app application auth service
    admin license deploy role session webhook integration function storage subscription cookie hmac jwt aes client
    """.split()  # noqa: SIM905 - see above
)
_PLACES_IN_A_LIST = ("next", "page", "continuation", "pad", "eos", "bos", "unk", "stop", "sync")
"""Tokens that are not secret: positions in a list, or units that a model reads."""

_SCHEMES = frozenset({"bearer", "basic", "token", "apikey", "api-key", "bot", "ssws", "digest", "key"})
"""Words before a secret in a header."""

_LONGEST_NAME = 60
_LONGEST_GAP = 40
_LONGEST_LITERAL = 4096
_LONGEST_JUDGED = 256
_NAME_SIGNS = "_-."
_WITHOUT_SIGNS = {ord(each): None for each in _NAME_SIGNS}
_QUOTES = ('\\"', "\\'", '"', "'", "`")
_OPERATORS = frozenset({"=", ":", ":=", "=>", "==", "===", "!=", "!==", "?=", "+=", "||="})

_CODE = tuple("()[]{}")
_CODE_AT_END = ("(", "[", "{", "},", "),", "],")
"""Characters that a password hardly has where more follows in the line, and endings that it hardly has at all."""

# What ends a word that stands alone, in prose, and in code or a URL.
_ENDS = {ord(each): " " for each in "\"'`\\<>"}
_ENDS_IN_PROSE = _ENDS | {ord(each): " " for each in ",;()[]{}"}
_ENDS_IN_CODE = _ENDS_IN_PROSE | {ord(each): " " for each in "|&"}


def assigned_secrets(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each secret that `text` assigns to a name: in order, without overlaps."""
    lower = text.lower()
    if len(lower) != len(text):  # the only letter that grows is the Turkish capital I with a dot
        lower = text.replace("\u0130", "I").lower()
    found: list[tuple[int, int]] = []
    done = 0
    for hit in _hits(lower):
        if hit >= done:
            secret = _secret_of(text, lower, hit)
            if secret:
                found.append(secret)
                done = secret[1]
    return found


def _hits(lower: str) -> list[int]:
    hits = []
    for word in HITS:
        hit = -1
        while (hit := lower.find(word, hit + 1)) >= 0:
            hits.append(hit)
    return sorted(hits)


def _secret_of(text: str, lower: str, hit: int) -> tuple[int, int] | None:
    """Return where the secret of the name around `hit` stands; None if it names none or none is given."""
    end = _after(text, hit, _NAME_SIGNS, alphanumeric=True, most=_LONGEST_NAME)
    password = _names_password(text, lower, hit, end)
    if password is None:
        return None
    start = _name_begin(text, hit)
    begin, tight = _value_begin(text, lower, start, end)
    if begin is None:
        return None
    literal = _literal(text, begin)
    if literal:
        return literal if is_secret_literal(text[slice(*literal)], password=password) else None
    return _bare_secret(text, slice(start, end), begin, tight=tight, password=password)


def _name_begin(text: str, hit: int) -> int:
    start = hit
    while start and hit - start < _LONGEST_NAME and (text[start - 1].isalnum() or text[start - 1] in _NAME_SIGNS):
        start -= 1
    is_escape = text[start - 1 : start] == "\\" and text[start] in "nrt"  # a line break in a string
    return start + is_escape


def _bare_secret(text: str, name: slice, begin: int, *, tight: bool, password: bool) -> tuple[int, int] | None:
    """Return where the secret without quotes stands that begins at `begin`; None if the word there is none."""
    in_environment = tight and text[name].lstrip("-").isupper()
    ends = _ENDS if in_environment else _ENDS_IN_CODE if tight else _ENDS_IN_PROSE
    last, alone = _word(text, begin, ends)
    value = text[begin:last]
    if in_environment:
        believed = is_secret_literal(value, password=password) or (password and is_plain_password(value))
    elif tight and text[name.start - 1 : name.start] in {"?", "&", ";"}:  # a connection, a query
        believed = is_secret_literal(value, password=password)
    else:
        believed = is_secret_word(value, text[last : last + 1], password=password, alone=alone or tight)
    return (begin, _to_its_end(text, begin, last)) if believed else None


def _after(text: str, start: int, signs: str, *, alphanumeric: bool = False, most: int = _LONGEST_GAP) -> int:
    """Return the end of the run of `signs`, and of letters and digits if `alphanumeric`, from `start` on."""
    end = start
    last = min(len(text), start + most)
    while end < last and (text[end] in signs or (alphanumeric and text[end].isalnum())):
        end += 1
    return end


def _names_password(text: str, lower: str, hit: int, end: int) -> bool | None:
    """Return True if the name around `hit` is a password's, False if another secret's, None if neither."""
    tail = lower[hit:end].translate(_WITHOUT_SIGNS).rstrip("0123456789")
    before = lower[max(0, hit - 16) : hit].translate(_WITHOUT_SIGNS)
    if tail.startswith(("pass", "pwd")):
        word = next(word for word in _PASSWORD_WORDS if tail.startswith(word))
        known = word not in _SHORT_PASSWORD_WORDS or _begins_word(text, lower, hit)
        return True if known and tail[len(word) :] in _AFTER_KEY else None
    for word, following in _AFTER.items():
        if tail.startswith(word):
            names = tail[len(word) :] in following and _may_follow(before, word)
            return False if names else None
    return False if tail in {"auth", "authorization"} and _begins_word(text, lower, hit) else None


def _begins_word(text: str, lower: str, hit: int) -> bool:
    return not lower[hit - 1 : hit].isalnum() or (text[hit].isupper() and text[hit - 1].islower())


def _may_follow(before: str, word: str) -> bool:
    """Return True if a word names a secret behind what is `before` it: `api_key` does, `next_token` doesn't."""
    if word == "key":
        return before.endswith(_KINDS_OF_KEY)
    return word != "token" or not before.endswith(_PLACES_IN_A_LIST)


def _value_begin(text: str, lower: str, start: int, end: int) -> tuple[int | None, bool]:
    """Return where the value of the name from `start` to `end` begins, and if only one sign is between them."""
    place = _after(text, end, "\"'`]\\", most=4)
    before = lower[max(0, start - 10) : start]
    if "name" in before:
        place = _value_of_name(lower, place)
    elif place != end and text[place : place + 1] == "," and "define(" in before:
        return _after(text, place + 1, " "), False  # PHP
    elif text.startswith(" is ", end):
        return end + len(" is "), False
    gap = _after(text, place, " \t")
    operator = text[gap : _after(text, gap, "=:>?!+|", most=4)]
    begin = gap + len(operator)
    if operator not in _OPERATORS:
        if operator[:1] == ">" and text[start - 1 : start] == "<":
            return end + 1, False  # XML
        is_option = not operator and gap > end and _is_option(text, start)
        return (gap, True) if is_option else (None, False)
    value = _after(text, begin, " \t*")
    if operator == ":":
        value = _after_type(text, value)
    value = _after_scheme(lower, value)
    return value, value == end + 1


def _is_option(text: str, start: int) -> bool:
    return text[start : start + 2] == "--" or text[max(0, start - 4) : start] == "ENV "


def _after_scheme(lower: str, value: int) -> int:
    scheme, space, _ = lower[value : value + _LONGEST_GAP].partition(" ")
    return value + len(scheme) + 1 if space and scheme in _SCHEMES else value


def _value_of_name(lower: str, place: int) -> int:
    """Behind `value`, as in `{"name": "DB_PASSWORD", "value": "..."}` and over two lines of YAML; else `place`."""
    value = lower.find("value", place, place + _LONGEST_GAP)
    if value < 0 or lower[place:value].strip(" \t\r\n,+-\"'\\nr"):
        return place
    return _after(lower, value + len("value"), "\"'\\")


def _after_type(text: str, value: int) -> int:
    """Return where the value stands behind a type, as in `password: str = "..."`; else `value`."""
    equal = text.find("=", value, value + _LONGEST_GAP)
    literal = _after(text, equal + 1, " ")
    kind = text[value : max(equal, value)].strip("& ?").replace(" | ", "")
    return literal if kind.isidentifier() and text.startswith(('"', "'"), literal) else value


def _literal(text: str, begin: int) -> tuple[int, int] | None:
    """Return from where to where the string literal at `begin` goes without its quotes; None if there is none."""
    place = _after(text, begin, "rbfuRBFU@", most=2)
    quote = next((quote for quote in _QUOTES if text.startswith(quote, place)), None)
    if quote is None:
        return None
    start = place + len(quote)
    end = _closing(text, start, quote)
    scheme, _, secret = text[start:end].partition(" ")
    return (end - len(secret), end) if scheme.lower() in _SCHEMES else (start, end)


def _closing(text: str, start: int, quote: str) -> int:
    """Return where the closing quote stands; if there is none in this line, where the first word ends."""
    last = start + _LONGEST_LITERAL
    end = text.find(quote, start, last)
    while end > 0 and len(quote) == 1 and text[end - 1] == "\\":
        end = text.find(quote, end + 1, last)
    if end >= 0 and "\n" not in text[start:end]:
        return end
    return _to_its_end(text, start, start + _LONGEST_JUDGED)


def _word(text: str, begin: int, ends: dict[int, str]) -> tuple[int, bool]:
    """Return where the word at `begin` ends, as far as it is judged, and whether it stands alone.

    It does if it ends its line, or if another pair of name and value follows. If not, `ends` end it.
    """
    stretch = text[begin : begin + _LONGEST_JUDGED]
    whole = _first_word(stretch, _ENDS)
    word = whole.rstrip(",;.")
    rest = stretch[len(whole) :].partition("\n")[0].strip()
    ends_line = word == whole and (not rest or rest.startswith(("#", "\\n", "\\r", '"', "'", "</")))
    is_code = any(each in word for each in (_CODE if rest else _CODE_AT_END))
    has_next = any(_is_pair(word.partition(each)[2]) for each in "&;")
    if ends_line and not has_next and not is_code:
        return begin + len(word), True
    inner = _first_word(word, ends)
    return begin + len(inner), has_next or (ends_line and inner == word)


def _is_pair(text: str) -> bool:
    name, equal, _ = text.partition("=")
    return equal != "" and name.isidentifier()


def _first_word(text: str, ends: dict[int, str]) -> str:
    """Return the beginning of `text` up to white space or what else ends it."""
    words = text.translate(ends).split(maxsplit=1)
    return words[0] if words and text.startswith(words[0]) else ""


def _to_its_end(text: str, start: int, end: int) -> int:
    """Return where the word from `start` ends, if it was only looked at as far as `end`."""
    if end - start < _LONGEST_JUDGED:
        return end
    end = start
    while word := _first_word(text[end : end + _LONGEST_JUDGED], _ENDS):
        end += len(word)
    return end

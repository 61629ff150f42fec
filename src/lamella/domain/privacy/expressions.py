"""Find values that code gives to the name of a secret without an operator right after the name.

setProperty("password", "...")      withPassword("...")             var apiSecret string = "..."
process.env.API_KEY || "..."        env::var("X").unwrap_or("...")  variable "db_password" { default = "..." }
"""

from lamella.domain.privacy.signs import after
from lamella.domain.tables import read_table

_WORDS = read_table(__file__, "expressions.txt")
WRAPPERS = tuple(_WORDS["wrappers"].split())
"""Functions converting a string without changing its meaning."""

_QUOTES = ('\\"', "\\'", '"', "'", "`")
_CLOSERS = frozenset("\"'`])}\\ \t")
_FALLBACKS = (
    *("||", "??", "?:", "or ", "{"),
    *(".unwrap_or(", ".unwrap_or_else(|_| ", ".orelse(", ".getorelse(", ".default(", ".withdefault("),
    *(".type(", ".fill(", ".set(", ".setvalue(", ".send_keys(", ".sendkeys(", ".typetext("),
)
"""Code between the name of a setting or field and its value, such as an operator for a default."""

_SETTING = ("set", "with", "use")
"""Prefixes of functions that are named after their argument, such as `with` in `withPassword`."""

_CALLED_SO = frozenset(_WORDS["called_so"].split())
"""Functions that may set a secret and are named after it, as in `password("...")`."""

_SETTERS = tuple(_WORDS["setters"].split())
"""Functions with a name and its value as arguments."""

_NAMES_OF_VALUES = ("default=", "default =", "default:", "with:", "value=", "value:", "initial=", "defaultvalue:")
_KEYS_OF_VALUES = ("default", "value", "defaultvalue", "plaintext")
_TYPE_SIGNS = {ord(each): " " for each in "*&[]?,<>:'$"}
_SCALARS = frozenset({"|", ">", "|-", ">-", "|+", ">+"})
_PREFIXES = "rbfuRBFUNL@$"
_LONGEST_WRAPPER = 40
_LONGEST_LITERAL_HEAD = 42
_LONGEST_GAP = 40
_LONGEST_LINE = 120
_LONGEST_BLOCK = 400
_MOST_LINES = 6
_MOST_WORDS_OF_TYPE = 3


def expressed(text: str, lower: str, start: int, end: int) -> tuple[int, bool] | None:
    """Return the start of the string that code assigns to the name from `start` to `end`, and True for a setter.

    A setter's value may be a plain word. None without a string.
    """
    if text[end : end + 1] == "(":
        begin = literal_at(text, end + 1)
        is_set = _is_setter(lower, start, end)
        return None if begin is None or is_set is None else (begin, is_set and _is_last(text, begin))
    place = after(text, end, "\"'`]\\")
    line = lower[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    if text[place : place + 1] == "," and (place > end or line.endswith("{")):
        return _second(text, lower, place + 1, line)
    place = _after_closers(text, end)
    fallback = next((each for each in _FALLBACKS if lower.startswith(each, place)), None)
    # A block has a default only after a call, as in Ruby's `ENV.fetch("API_KEY") { "..." }`.
    if fallback == "{" and ")" not in text[end:place]:
        fallback = None
    begin = None if fallback is None else literal_at(text, place + len(fallback))
    if begin is not None:
        return begin, "env" in line or text[start:end].isupper() or fallback not in _FALLBACKS[:4]
    for begin in (_after_type(text, end), _in_block(text, lower, start, end), _behind_space(text, start, end)):
        if begin is not None:
            return begin, False
    return None


def literal_at(text: str, begin: int) -> int | None:
    """Return the offset of the opening quote of a string at `begin`, also in a conversion: `[]byte("...")`."""
    begin = after(text, begin, " \t\n")
    head = text[begin : begin + _LONGEST_LITERAL_HEAD]
    quote = min((at for each in _QUOTES if (at := head.find(each)) >= 0), default=-1)
    return begin + quote if quote >= 0 and is_wrapper(head[:quote].lstrip("<")) else None


def _is_last(text: str, begin: int) -> bool:
    """Return True if no argument follows the string at `begin`."""
    quote = text[begin : begin + 1 + (text[begin] == "\\")]
    end = text.find(quote, begin + len(quote), begin + _LONGEST_LINE)
    return end < 0 or text[end + len(quote) : end + len(quote) + 1] != ","


def _is_setter(lower: str, start: int, end: int) -> bool | None:
    """Return True for a setter of the name, False for a possible setter, None for any other function."""
    name = lower[start:end].rpartition(".")[2].replace("_", "").replace("-", "")
    if name.startswith(_SETTING):
        return True
    return False if name in _CALLED_SO else None


def _second(text: str, lower: str, place: int, line: str) -> tuple[int, bool] | None:
    """Return the start of the string that follows a name as an argument or in a pair, and True for a setter."""
    function = line.rpartition("(")[0].rstrip().rpartition(" ")[2]
    is_set = function.endswith(_SETTERS) and line.rpartition("(")[2].lstrip()[:1] not in {"{", "["}
    begin = literal_at(text, place) if "(" in line or line.endswith("{") else None
    if begin is not None:
        return begin, is_set
    rest = lower[place : place + _LONGEST_LINE].partition("\n")[0]
    for name in _NAMES_OF_VALUES:
        at = rest.find(name)
        if at >= 0:
            begin = literal_at(text, place + at + len(name))
            return None if begin is None else (begin, False)
    return None


def _after_closers(text: str, end: int) -> int:
    last = min(len(text), end + 6)
    while end < last and text[end] in _CLOSERS:
        end += 1
    return end


def _after_type(text: str, end: int) -> int | None:
    """Return the start of the string assigned after a type: `var apiSecret string = "..."`."""
    equal = text.find("=", end, end + _LONGEST_GAP)
    if equal < 0 or text[end] not in " [:,":
        return None
    words = text[end:equal].translate(_TYPE_SIGNS).split()
    is_type = len(words) <= _MOST_WORDS_OF_TYPE and all(map(str.isalnum, words))
    return literal_at(text, equal + 1) if is_type and "\n" not in text[end:equal] else None


def _behind_space(text: str, start: int, end: int) -> int | None:
    """Return the start of the string after a name and blanks: `storePassword "..."`."""
    if text[start:end].lower() == "pass":
        return None  # the name is a verb, such as `pass`
    quote = text[start - 1 : start] if text[end : end + 1] == '"' == text[start - 1 : start] else ""
    blank = end + len(quote)
    begin = after(text, blank, " \t")
    return begin if begin > blank and text.startswith(_QUOTES[:-1], begin) else None


def _in_block(text: str, lower: str, start: int, end: int) -> int | None:
    """Return the start of a value in a block of Terraform, JSON or YAML that follows the name."""
    place = _after_closers(text, end)
    place = after(text, place + (text[place : place + 1] in {":", "="}), " \t")
    if text[place : place + 1] == "{":
        return _keyed(text, lower, place, _closing(text, place))
    word = text[place : text.find("\n", place, place + 4)] if "\n" in text[place : place + 4] else None
    if (
        word is None
        or text[place - 1 : place] not in {":", " "}
        or not (word.strip() == "" or word.strip() in _SCALARS)
    ):
        return None
    indent = start - (text.rfind("\n", max(0, start - _LONGEST_LINE), start) + 1)
    block = _indented(text, place + len(word) + 1, indent)
    if word.strip():
        return after(text, block.start, " \t\n") if block.stop > block.start else None
    first = after(text, block.start, " \t\n+")
    if (
        text.startswith(_QUOTES, first)
        and first < block.stop
        and ":" not in text[first : block.stop].partition("\n")[0]
    ):
        return first
    return _keyed(text, lower, block.start, block.stop)


def _closing(text: str, brace: int) -> int:
    end = text.find("}", brace, brace + _LONGEST_BLOCK)
    return min(len(text), brace + _LONGEST_BLOCK) if end < 0 else end


def _indented(text: str, begin: int, indent: int) -> slice:
    """Return the span of the lines from `begin` on that are indented by more than `indent`."""
    end = begin
    for _ in range(_MOST_LINES):
        line = text[end : end + _LONGEST_LINE].partition("\n")[0]
        if not line.strip("+- ") or len(line) - len(line.lstrip(" +-\t")) <= indent:
            break
        end += len(line) + 1
    return slice(begin, end)


def _keyed(text: str, lower: str, begin: int, end: int) -> int | None:
    """Look between two offsets for a key such as `default`. Return the start of its value; None without a key."""
    for key in _KEYS_OF_VALUES:
        at = lower.find(key, begin, end)
        while at >= 0:
            place = after(text, at + len(key), "\"'\\ \t")
            if text[place : place + 1] in {":", "="} and not lower[at - 1 : at].isalnum():
                value = after(text, place + 1, " \t")
                return value if value < end else None
            at = lower.find(key, at + 1, end)
    return None


def is_wrapper(text: str) -> bool:
    """Return True if the text before a quote doesn't change the string: nothing, a prefix, or `[]byte(`."""
    before = text.strip()
    if len(before) <= len("rb"):
        return before.strip(_PREFIXES) == ""
    if len(before) > _LONGEST_WRAPPER or not before.endswith("("):
        return False
    names = before.lower().removeprefix("new ").rstrip("(").split("(")
    return all(name.removeprefix("new ").strip() in WRAPPERS for name in names)

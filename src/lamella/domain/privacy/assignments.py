"""Find the value assigned to a name, and the kind of assignment."""

from lamella.domain.privacy.expressions import expressed, literal_at
from lamella.domain.privacy.signs import after, places_of
from lamella.domain.tables import read_table

_WORDS = read_table(__file__, "assignments.txt")
SCHEMES = frozenset(_WORDS["schemes"].split())
"""Words before a secret in an HTTP header, such as `bearer`."""

LOOSE, TIGHT, GIVEN = "loose", "tight", "given"
"""Ways of assigning a value: after white space, directly after a sign such as `=`, or on a command line."""

_WORDS_BEFORE_SETTINGS = frozenset(_WORDS["words_before_settings"].split())
"""Words before a name and its value: in a Dockerfile, in shells, and for programs that store settings."""

SETTERS = frozenset(_WORDS["setters"].split())
"""Programs with `NAME=value` arguments or headers. Their values are judged like values of options."""

_OPERATORS = frozenset({"=", ":", ":=", "=>", "==", "===", "!=", "!==", "?=", "+=", "||=", "??="})
_ENVIRONMENTS = ("env:", "env.", 'env["', "env['", 'environ["', "environ['", "env{", "env{'", 'env{"')
_MESSAGES = frozenset({"-m", "--message", "--title", "--body"})
"""Options with prose as value, such as a commit message."""

_BLOCKS = frozenset({"", "{", "\n", "|", ">"})
_CONNECTS = tuple(
    f"{sign}{name}="
    for sign in (" ", '"', "'", ",", ";", "&", "?")
    for name in ("user", "username", "user id", "uid", "name")
)
_USERS = ("user", "login", "uid", "account", "email")
_BEFORE_SETTING = frozenset(" \"'=")
_LONGEST_GAP = 40
_LONGEST_LINE = 160
_LONGEST_BEFORE = _LONGEST_LINE
_LONGEST_TAG = 10
_APART = {ord(each): " " for each in "\"'`\\<>,;()[]{}|&/"}


def value_begin(text: str, lower: str, start: int, end: int) -> tuple[int | None, str]:
    """Return the start of the value of the name from `start` to `end`, and the kind of assignment."""
    if text[end : end + 1] in {"=", " ", "\t", '"', "'", "\n"} and _is_option(text, start):
        option = _value_of_option(text, end)
        if option is not None or "(" not in text[max(0, start - _LONGEST_LINE) : start]:
            return option, GIVEN
    if text.startswith(("${", "#{"), start - 2) and text[end : end + 1] == ":":
        return _default(text, start, end), GIVEN
    return _assigned(text, lower, start, end)


def _assigned(text: str, lower: str, start: int, end: int) -> tuple[int | None, str]:
    before = lower[max(0, start - _LONGEST_TAG) : start]
    place = after(text, end, "\"'`]\\", most=4)
    if "name" in before or "key" in before:
        place = _value_of_name(lower, place)
    place += before.endswith("env{") and text[place : place + 1] == "}"
    gap = after(text, place, " \t")
    operator = text[gap : after(text, gap, "=:>?!+|", most=4)]
    if operator in _OPERATORS:
        value = _behind_operator(text, lower, operator, gap + len(operator))
        if "***" in text[gap:value]:
            return None, LOOSE  # the value was redacted before
        is_block = operator == ":" and text[value : value + 1] in _BLOCKS
        inner = expressed(text, lower, start, end) if is_block else None
        if inner is not None:
            return inner[0], LOOSE
        is_meant = (operator in {"=", ":"} and _is_argument(text, start)) or (
            text[value : value + 1] in {'"', "'", "\\"} and _is_beside_user(lower, start)
        )
        is_set = operator == "=" and before.endswith(_ENVIRONMENTS)
        return value, GIVEN if is_meant else TIGHT if value == end + 1 or is_set else LOOSE
    tag = _behind_tag(text, start, end, place)
    if tag is not None:
        return tag, LOOSE
    manner = _manner_of_setting(text, start, gap) if gap > end == place else ""
    inner = None if manner else expressed(text, lower, start, end)
    if inner is not None:
        return inner[0], GIVEN if inner[1] else LOOSE
    return (gap, manner) if manner else (None, LOOSE)


def _behind_tag(text: str, start: int, end: int, place: int) -> int | None:
    """Return the start of an XML element's text, given the span of a tag's or an attribute's name."""
    opens = text[start - 1 : start] == "<"
    if opens and text[end : end + 1] == " ":
        return text.find(">", end, end + _LONGEST_GAP) + 1 or None
    gap = after(text, place, " \t")
    return gap + 1 if text[gap : gap + 1] == ">" and (opens or place > end) else None


def _default(text: str, start: int, end: int) -> int | None:
    """Return the start of a default value: `${NAME:-value}` in a shell, `${name.part:value}` in Spring."""
    sign = text[end + 1 : end + 2]
    if sign in {"-", "="}:
        return end + 2
    closing = text.find("}", end, end + _LONGEST_LINE)
    is_compound = "." in text[start:end] or "_" in text[start:end]
    return end + 1 if is_compound and sign.isalnum() and ":" not in text[end + 1 : closing] else None


def _behind_operator(text: str, lower: str, operator: str, begin: int) -> int:
    """Return the start of the value after an operator. Skip a type and the scheme of an HTTP header."""
    value = after(text, begin, " \t*")
    if operator == ":":
        value = _after_type(text, value)
    value = _after_scheme(lower, value)
    value += len("!unsafe ") if text.startswith("!unsafe ", value) else 0
    is_call = text[value : value + 1].isalnum() or text[value : value + 1] == "["
    literal = literal_at(text, value) if is_call else None
    return value if literal is None else literal


def _is_argument(text: str, start: int) -> bool:
    """Return True if a name follows another setting, an option, or a program with `NAME=value` arguments."""
    before = line_before(text, start)
    if _is_beside_setting(before):
        return True
    option = before.rstrip("\"'\\= ").rpartition(" ")[2] if before[-1:] in _BEFORE_SETTING else ""
    if option[:1] == "-" and option.replace("-", "").isalpha() and option not in _MESSAGES:
        return True
    return not SETTERS.isdisjoint(before.translate(_APART).split())


def _is_beside_setting(before: str) -> bool:
    """Return True for a name after another setting: `user=ada password=…`, on Windows `/user:ada /password:…`."""
    words = before.split()
    if before.endswith(" /"):
        return any(word[0] == "/" and ":" in word for word in words)
    pair = words[-1] if words and before[-1] == " " else ""
    if before[-1:] in {",", ";", "&"} and "(" not in before:
        pair = before[:-1]
    return "=" in pair and pair[-1].isalnum() and any(each in f" {before.lower()}" for each in _CONNECTS)


def _is_beside_user(lower: str, start: int) -> bool:
    """Return True if the line also has a user name in quotes, as in `login: "ada", password: "..."`."""
    before = lower[max(0, start - _LONGEST_LINE) : start].rpartition("\n")[2]
    for name in _USERS:
        for at in places_of(name, before):
            gap = after(before, at + len(name), "name_id\"'\\ \t")
            value = after(before, gap, "=:> \t\\")
            if value > gap and before[value : value + 1] in {'"', "'"}:
                return True
    return False


def _is_option(text: str, start: int) -> bool:
    if text.startswith("--", start):
        return True
    is_attached = text[start + 1].islower() and text[start + 2 : start + 4].isupper()  # such as -pPASSWORD
    return text[start] == "-" and text[start - 1 : start] in {" ", '"', "'"} and not is_attached


def _value_of_option(text: str, end: int) -> int | None:
    """Return the start of an option's value: after `=` or a space, or in the next string or list item.

    None without a value.
    """
    if text.startswith("  ", end):
        return None  # the option's explanation follows, not a value
    if text[end] in " \t=":
        return after(text, end + 1, " \t")
    quote = text[end]
    if quote != "\n":
        comma = after(text, end + 1, " \t\r\n")
        value = after(text, comma + 1, " \t\r\n")
        in_list = text.rfind("[", end - _LONGEST_LINE if end > _LONGEST_LINE else 0, end) >= 0
        return value if text[comma : comma + 1] == "," and text.startswith(quote, value) and in_list else None
    item = after(text, end, "\n +")
    return item + 2 if text.startswith("- ", item) else None


def _manner_of_setting(text: str, start: int, value: int) -> str:
    """Return the kind of assignment for a value after a name and a space. Return "" if nothing is assigned."""
    before = text[max(0, start - _LONGEST_BEFORE) : start]
    words = before.replace("\n+", " ").replace("\n-", " ").replace('"', " ").split()
    if words and before[-1:] not in {" ", "\n", "\t", '"'}:
        words.pop()  # the last word is a part of the name itself
    name = text[start:value].strip()
    if words and (
        (words[-1] != "-X" and words[-1].lower() in _WORDS_BEFORE_SETTINGS) or words[-2:-1] == ["set-env"]
    ):
        known = name.isupper() or "_" in name or "." in name or _is_argument(text, start)
        return GIVEN if known else LOOSE
    if words[-2:-1] == ["login"] and name == "password":
        return GIVEN  # a line of .netrc: `login ada password ...`
    if text[value : value + 1] in {"=", ":", "|", "&", "`"}:
        return ""
    return "" if line_before(text, start).strip(" \t+-") else LOOSE  # only name and value, as in .netrc


def line_before(text: str, at: int) -> str:
    """Return the text between the start of the line and the offset `at`, without a diff's sign.

    If `at` is in the string of a JSON object such as `{"command": "..."}`, begin at the start of the string.
    """
    line = text[max(0, at - _LONGEST_BEFORE) : at].rpartition("\n")[2].rpartition("\\n")[2]
    key, _, string = line.rpartition('{"')[2].partition('": "')
    return string if key.isalpha() else line[line[:1] in {"+", "-"} :]


def _after_scheme(lower: str, value: int) -> int:
    scheme, space, _ = lower[value : value + _LONGEST_GAP].partition(" ")
    begin = value + len(scheme) + 1 if space and scheme in SCHEMES else value
    return begin + len("token=") if begin > value and lower.startswith("token=", begin) else begin


def _value_of_name(lower: str, place: int) -> int:
    """Return the start of the value for the key `value` after a name; without such a key, return `place`.

    Examples are `{"name": "API_KEY", "value": "..."}`, and the same in XML.
    """
    value, length = lower.find("value", place, place + _LONGEST_GAP), len("value")
    if value < 0:
        value, length = lower.find("<string", place, place + _LONGEST_GAP), len("<string")
    between = lower[place:value].replace("name>", "").replace("param-", "")
    if value < 0 or between.strip(" \t\r\n,+-\"'\\nr<>/key"):
        return place
    return after(lower, value + length, "\"'\\")


def _after_type(text: str, value: int) -> int:
    """Return the start of the value after a type: `password: str = "..."`. Without a type, return `value`."""
    equal = text.find("=", value, value + _LONGEST_GAP)
    kind = text[value : max(equal, value)].strip("& ?").replace(" | ", "").removeprefix("'static ")
    literal = literal_at(text, equal + 1) if kind.isidentifier() else None
    return value if literal is None else literal

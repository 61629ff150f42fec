"""Find secrets on command lines of unknown programs, by common forms.

- In a command with a user name, or for a login, `-p`, `-P`, `-w` and `-W` take a password: `tool -u ada -p
  secret`.
- Options for a user may take a password after a colon: `tool --user ada:secret`.
- A secret follows a word for it: `set-admin-password secret`, `user ada password secret`.

Ports, paths, files and variables are not secrets. The first two forms don't apply to known programs, nor to
programs with other meanings for these options.
"""

from collections.abc import Iterator

from lamella.domain.privacy.assignments import SETTERS
from lamella.domain.privacy.commands.options import NAMES, PAIRS, PASSWORDS, PROGRAMS, USERS
from lamella.domain.privacy.commands.words import Span, next_word, words_from
from lamella.domain.privacy.evidence.chosen_words import is_file
from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_word
from lamella.domain.tables import read_table

_SLASHED = {"/u": "-u", "/user": "-u", "/p": "-p", "/pass": "-p"}
_BIND = "-D"
"""Option of LDAP for the name of an entry, as in `cn=admin`. Other programs use it differently."""

_WEAK = "-n"
"""Option that gives a user to some programs, and something else to many others.

A plain word isn't a secret if this option is the only evidence of a user.
"""

_WORDS = read_table(__file__, "shapes.txt")
_FIRST = frozenset(_WORDS["first"].split())
"""Words before the program of a command, such as `sudo`."""

_OTHERS = frozenset(_WORDS["others"].split())
"""Programs with other meanings for options such as `-u` and `-p`."""

_PROTOCOLS = frozenset(
    {"tcp", "udp", "icmp", "auto", "none", "all", "yes", "no", "err", "info", "warning", "debug"}
)
_SETTING_VERBS = frozenset({"set", "modify", "config", "configure"})
_SETTING = ("set-", "reset-", "change-", "update-")
_OF_A_USER = frozenset({"set-password", "reset-password", "change-password", "user:password"})
_NUMBER = frozenset("0123456789.:,-/+%")
_LONGEST_PORT = 7
_LONGEST_LINE = 500
_LEAST_ATTACHED = len("-psecret")


def secrets_at(text: str, hits: list[int]) -> list[Span]:
    """Return the start and end of each secret in the commands around some offsets, in order, without overlaps."""
    found: list[Span] = []
    done = since = 0
    for hit in hits:
        if hit < done:
            continue
        command, since = _command_around(text, hit, since if since <= hit else 0)
        done = command[-1][1] if command else since
        found += _secrets_of(text, command)
    return found


def _command_around(text: str, hit: int, since: int) -> tuple[list[Span], int]:
    """Return the spans of words in the command around `hit`, and the offset to continue from.

    If the hit is in a string, the command is in that string. Without a command, return no words.
    """
    begin, quote = _line_begin(text, hit)
    at = max(begin, since)
    while at <= hit:
        words = _words(text, at, quote)
        at = words[-1][1] if words else at + 1
        for begin, end in words:
            if begin <= hit < end:
                string = _string_in(text, begin, end, hit)
                if hit < string:
                    return words, at
                inside, _ = _command_around(text[string:end], hit - string, 0)
                return [(string + one, string + other) for one, other in inside], at
    return [], at


def _string_in(text: str, begin: int, end: int, hit: int) -> int:
    """Return the start of the quoted string around `hit`, if the string has spaces.

    Otherwise, return `end`, the end of the word. A word can have several quoted strings: `{"command":"tool -u
    ada"}` is a single word.
    """
    quote = max(0, begin - 1)
    while (quote := next((at for at in range(quote, end) if text[at] in "\"'"), end)) < end:
        closing = text.find(text[quote], quote + 1, hit)
        if closing < 0:
            return quote + 1 if " " in text[quote + 1 : end] else end
        quote = closing + 1
    return end


def _line_begin(text: str, hit: int) -> tuple[int, str]:
    """Return the start of the line of `hit`, and the quote that ends the string around the line, if any.

    If earlier lines end with a backslash, return the start of the first of them.
    """
    least = max(0, hit - _LONGEST_LINE)
    begin = text.rfind("\n", least, hit) + 1
    while begin > 1 and text[begin - 2] == "\\":
        begin = text.rfind("\n", least, begin - 1) + 1
    escaped = text.rfind("\\n", begin, hit)
    if escaped >= 0:
        return escaped + len("\\n"), '"'
    quote = max(text.rfind(each, least, hit) for each in "\"'") if begin < least else -1
    return (quote + 1, text[quote]) if quote >= 0 else (max(begin, least), "")


def _words(text: str, at: int, quote: str) -> list[Span]:
    """Return the words from an offset on: words of a shell command, or items of a list in source code.

    An example of such a list is `["curl", "-u", "ada:secret"]`.
    """
    if text[at : at + 1] in {"[", "("} and text[at + 1 : at + 2] in {'"', "'"}:
        end = text.find(text[at + 1], at + 2, at + _LONGEST_LINE)
        listed = words_from(text, at + 2, end - at - 2) if end > 0 else []
        if len(listed) > 1:
            return [(at + 2, end), *listed]
    words: list[Span] = []
    while (word := next_word(text, at, quote)) is not None:
        begin, end, at = word
        if text[begin:end] == "--":
            break
        words.append((begin, end))
    return words


def _secrets_of(text: str, command: list[Span]) -> Iterator[Span]:
    words = [text[begin:end] for begin, end in command]
    first = _program(words) if words else -1
    if first < 0:
        return
    program = words[first].rpartition("/")[2].lstrip("+-$@")
    plain = not (in_prose(text[command[0][0] : command[-1][1]]) or program.istitle())
    words, command = words[first + 1 :], command[first + 1 :]
    bare = [program, *words[: next((at for at, word in enumerate(words) if word[:1] == "-"), len(words))]]
    sets = any(word[:1] == "-" or word in _SETTING_VERBS for word in words)
    known = program in PROGRAMS or program in SETTERS or sets
    secrets = dict.fromkeys(_named(words, is_command=plain and known, plain=plain), 0)
    if PROGRAMS.isdisjoint(bare) and program not in _OTHERS and not program.startswith("pg_"):
        secrets.update(_given(words, plain=plain, login=program not in SETTERS))
    for at, begin in sorted(secrets.items()):
        quote = int(_unquoted(words[at][begin:]) != words[at][begin:])
        yield command[at][0] + begin + quote, command[at][1] - quote


def _program(words: list[str]) -> int:
    """Return the index of the program's name in `words`; -1 if no word is the name of a program."""
    skipped = 0
    is_option = False
    for at, word in enumerate(words):
        name = word.rpartition("/")[2].lstrip("+-$@")
        if word in {"$", "#", "%", ">", "+", "-", "!"} or word.endswith(":") or "=" in word:
            continue
        if name in _FIRST:
            skipped = at + 1
        elif not (skipped and (word.startswith("-") or word[0].isdigit() or is_option)):
            is_name = name[:1].isalpha() and name.replace("-", "").replace("_", "").replace(".", "").isalnum()
            return at if is_name and not name.isupper() else -1
        is_option = bool(skipped) and word in {"-u", "-g", "-U"}
    return -1


def _given(words: list[str], *, plain: bool, login: bool) -> Iterator[tuple[int, int]]:
    """Yield the position of each secret given by an option: the index of a word, and an offset in this word."""
    options = [(*_option(word), at) for at, word in enumerate(words)]
    who = {name for name, value, at in options if login and name in USERS and _is_user(words, name, value, at)}
    plainly = plain and who != {_WEAK}
    for name, value, at in options:
        place, begin = (at, value) if value else (at + 1, 0)
        given = words[place][begin:] if place < len(words) else ""
        user, colon, secret = given.partition(":") if name in PAIRS else ("", "", "")
        if colon:
            new = _is_name(user) and _unquoted(secret) != user and ":" not in secret
            if new and _is_password(_unquoted(secret), plain=plain and name != _WEAK):
                yield place, begin + len(user) + 1
        elif who and name in PASSWORDS and _is_password(_unquoted(given), plain=plainly):
            yield place, begin
        elif who and name[:2] in PASSWORDS and len(name) >= _LEAST_ATTACHED and _is_attached(name[2:]):
            yield at, len("-p")


def _unquoted(value: str) -> str:
    """Return a value without the quotes around it."""
    is_quoted = value[:1] in {'"', "'"} and value.endswith(value[:1])
    return value[1:-1] if is_quoted else value


def _option(word: str) -> tuple[str, int]:
    """Return the name of an option, and the start of its value if it is in the same word."""
    for sign in "=:":
        name, found, _ = word.partition(sign)
        name = _SLASHED.get(name.lower(), name)
        if found and (name in USERS or name in PASSWORDS or name in PAIRS):
            return name, len(word.partition(sign)[0]) + 1
    return word, 0


def _is_user(words: list[str], name: str, value: int, at: int) -> bool:
    """Return True if an option's value may be a user."""
    if name == "login":
        return at + 1 < len(words)
    user = words[at][value:] if value else words[at + 1] if at + 1 < len(words) else "-"
    if user.startswith("-") or (name == _BIND and "=" not in user):
        return False
    return any(map(str.isalpha, user)) and not (is_file(user) and "@" not in user)


def _is_name(user: str) -> bool:
    return user.strip("._-@\\+$").replace(".", "").replace("-", "").replace("_", "").isalnum() or "@" in user


def _named(words: list[str], *, is_command: bool, plain: bool) -> Iterator[int]:
    """Yield the indexes of secrets. One of the two words before a secret announces it."""
    for at, word in enumerate(words[:-1]):
        given = words[at + 1]
        kind, _, name = word.rpartition("-")
        sets = kind.startswith(_SETTING)
        place = at + 1
        if word in _OF_A_USER or (sets and (name == "credentials" or kind.endswith("-user"))):
            place += 1
            other = words[place] if place < len(words) and given[:1] != "-" else ""
            secret = _is_password(other, plain=plain)
        elif sets and name == "password":
            secret = _is_password(given, plain=plain)
        elif word in NAMES:
            has_user = words[max(0, at - 2) : at][:1] in (["user"], ["username"])
            drawn = is_command and word != "using" and is_secret_word(given, "", password=True, alone=False)
            secret = ((has_user and plain) or drawn) and _is_password(given, plain=has_user)
        else:
            continue
        if secret:
            yield place


def _is_password(value: str, *, plain: bool) -> bool:
    """Return True if a value may be a password, False for a number, path, file, setting or protocol name."""
    is_number = _NUMBER.issuperset(value) and not (value.isdigit() and len(value) > _LONGEST_PORT)
    name, equal, setting = value.partition("=")
    return (
        is_given_value(value, plain=plain)
        and not (is_number or value.lower() in _PROTOCOLS or is_file(value))
        and not (equal and setting and name.isalpha())
    )


def _is_attached(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and _is_password(value, plain=False)

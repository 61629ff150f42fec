"""Find secrets on command lines of known programs: `mysql -psecret`, `unzip -P secret a.zip`.

A command is read from the name of its program on. It may be in a script, a Dockerfile, a string in source code, a
list in YAML or JSON, or a log. Hooks check every text, so this module must be fast: it imports only data and the
judgement of values, and reads each command once.
"""

from lamella.domain.privacy.commands.options import NAMES, PAIRS, PASSWORDS, PIPES, PROGRAMS, ROWS, USERS
from lamella.domain.privacy.secret_likelihood import in_prose, is_given_value, is_secret_word
from lamella.domain.privacy.signs import places_of, words_in

Span = tuple[int, int]
"""Start and end of a part of a text."""

WRITERS = frozenset({"echo", "printf"})
_PROGRAMS = PROGRAMS | WRITERS
_SHAPES = USERS | PASSWORDS | PAIRS | NAMES
OPTIONS = ("-password ", "-token ", "-credentials ")
"""Options for a secret, in any program."""

_LONGEST_PIPE = 300
_LONGEST_VALUE = 80
_BEFORE_WORD = frozenset(" \t\n\"'`:")
_BEHIND_WORD = frozenset(" =:\"'")
_BEFORE_A_COMMAND = tuple("$&|;({`\"'>+-:%=")
_WORDS_BEFORE_A_COMMAND = frozenset("sudo RUN exec then do else time env if while command nohup".split())  # noqa: SIM905


def command_secrets(text: str, words: list[str]) -> list[Span]:
    """Return the spans of secrets given to known programs, in order, without overlaps."""
    found: list[Span] = []
    done = 0
    for start, program in _programs_in(text, words):
        if start < done:
            continue
        if program in WRITERS:
            found += _piped(text, start)
            continue
        arguments = _words_from(text, start, len(program))
        if arguments:
            done = arguments[-1][1]
            plain = not in_prose(text[start:done])
            found += _secrets_among(text, arguments, program, plain=plain, commanded=_begins_command(text, start))
    return found


def shaped_secrets(text: str, words: list[str]) -> list[Span]:
    """Find secrets on command lines of any program by the form of the command.

    Return their spans in order, without overlaps.
    """
    hits = _shapes(text, words)
    if not hits:
        return []
    from lamella.domain.privacy.commands.shapes import secrets_at  # noqa: PLC0415 - most texts have none

    return secrets_at(text, hits)


def _shapes(text: str, words: list[str]) -> list[int]:
    """Return the offsets of words that may be near a secret, in order."""
    present = _SHAPES.intersection(words)
    login = not PASSWORDS.isdisjoint(present) or " -p" in text or " -t " in text
    hits = places_of("/p:", text) if "/p:" in text else []
    for each in present - PASSWORDS:
        for hit in places_of(each, text):
            behind = text[hit + len(each) : hit + len(each) + _LONGEST_VALUE]
            if text[hit - 1 : hit] not in _BEFORE_WORD or behind[:1] not in _BEHIND_WORD:
                continue
            may_hold = (login and each in USERS) or (each in PAIRS and ":" in behind)
            if may_hold or (each in NAMES and _follows(text, hit, behind)):
                hits.append(hit)
    for each in OPTIONS:
        hits += places_of(each, text) if each in text else []
    return sorted(hits)


def _follows(text: str, hit: int, behind: str) -> bool:
    """Return True if a word for a secret comes after the word `user`, or before a likely secret."""
    value = behind.split(maxsplit=1)[:1]
    return " user" in text[max(0, hit - _LONGEST_VALUE) : hit] or (
        value != [] and is_secret_word(value[0].strip("\"'`,"), "", password=True, alone=False)
    )


def _words_from(text: str, start: int, length: int) -> list[Span]:
    from lamella.domain.privacy.commands.words import words_from  # noqa: PLC0415 - most texts have no command

    return words_from(text, start, length)


def _programs_in(text: str, words: list[str]) -> list[tuple[int, str]]:
    """Return the offsets of known programs' names, in order."""
    programs = _PROGRAMS.intersection(words)
    if not programs.isdisjoint(WRITERS) and not any(each in text for each in PIPES):
        programs -= WRITERS
    return sorted(
        (at, program)
        for program in programs
        for at in places_of(program, text)
        if _stands_alone(text, at, at + len(program))
    )


def _stands_alone(text: str, start: int, end: int) -> bool:
    after = text[end : end + 1]
    if after.isalnum() or after in {"_", "-", "."} or text.startswith("::", end):
        return False
    before = text[start - 1 : start] if start else ""
    if before == "-":
        return start == 1 or text[start - 2] == "\n"  # the `-` is the sign of a removed line in a diff
    if before in {"n", "t"} and text[start - 2 : start - 1] == "\\":
        return True  # the program follows an escaped line break or tab
    return not (before.isalnum() or before in {"_", "."})


def _begins_command(text: str, start: int) -> bool:
    """Return True if nothing or only a shell prompt precedes a program.

    Otherwise, the program's name may be a word of a sentence.
    """
    before = text[max(0, start - _LONGEST_PIPE) : start].rpartition("\n")[2].rstrip()
    return not before or before.endswith(_BEFORE_A_COMMAND) or before.split()[-1] in _WORDS_BEFORE_A_COMMAND


def _piped(text: str, start: int) -> list[Span]:
    """Return the secret piped by `echo` or `printf` at `start` into a program."""
    line = text[start : start + _LONGEST_PIPE].partition("\n")[0]
    written, pipe, command = line.partition("|")
    words = _words_from(text, start, len(written.split()[0])) if pipe else []
    if not words or not any(each in command.partition(";")[0] for each in PIPES):
        return []
    begin, end = words[-1]
    separator = ":" if "chpasswd" in command else ""
    plain = "base64" not in command
    if any(each in command for each in (" -d", " --decode", " -D")):
        return []
    return _given(text, begin, end, separator, plain=plain) if end <= start + len(written) else []


class _Row:
    """A row of the table of options for one program, and the position reached in a command of that program."""

    __slots__ = ("_options", "_positions", "_subcommand", "last", "seen")

    def __init__(self, subcommand: str, places: str) -> None:
        self._subcommand = subcommand
        self._options: list[tuple[str, str, str]] = []
        self._positions: dict[str, str] = {}
        self.seen = -1 if subcommand else 0
        self.last: Span | None = None
        for place in places.split():
            kind = place[-1] if place[-1] in "+!" else ""
            name = place.removesuffix(kind)
            separator = name[-1] if name[-1] in ":%,/@" and not kind else ""
            name = name.removesuffix(separator)
            if name.removeprefix("-").isdecimal():
                self._positions[name] = separator
            else:
                self._options.append((name, kind, separator))

    def option(self, word: str) -> tuple[int, str] | None:
        """If `word` is an option for a secret, return the start of its value, and a separator; else None.

        If the start is after the end of the word, the next word is the value. The secret follows the separator in
        the value, as in `user:secret`. If the separator is empty, the whole value is the secret.
        """
        for name, kind, separator in self._options if self.seen >= 0 else ():
            if (word == name and kind != "+") or (separator and _is_group(word, name)):
                return len(word) + 1, separator
            if kind == "!" or not word.startswith(name):
                continue
            if word[len(name) : len(name) + 1] == "=" and kind != "+":
                return len(name) + 1, separator
            if len(word) > len(name) and (kind == "+" or (len(name) == len("-p") and name[0] == "-")):
                return len(name), separator
        return None

    def position(self, word: str, place: Span) -> str | None:
        """Count an argument of the command that is neither an option nor an option's value.

        If a secret is expected at this position, return the separator before the secret in the word (empty if the
        whole word is the secret). Otherwise, return None.
        """
        if self.seen < 0:
            self.seen += self._is_subcommand(word)
        elif not word.startswith(("-", "<")) and not _is_pair(word):
            self.seen += 1
            self.last = place if "-1" in self._positions else None
            return self._positions.get(str(self.seen))
        return None

    def _is_subcommand(self, word: str) -> bool:
        if self._subcommand.startswith("-*"):
            return word[:1] == "-" and word[1:].isalpha() and self._subcommand[-1] in word
        if self._subcommand.endswith("*"):
            return word.startswith(self._subcommand[:-1])
        return word == self._subcommand


def _rows_of(program: str) -> list[_Row]:
    return [_Row(subcommand, places) for programs, subcommand, places in ROWS if program in programs.split()]


def _is_pair(word: str) -> bool:
    """Return True for `user=ada`."""
    name, equal, _ = word.partition("=")
    return equal != "" and name.isidentifier() and name.islower()


def _is_group(word: str, name: str) -> bool:
    """Return True for a group of short options ending with `name`: `-sSu` with `-u`."""
    is_group = word[:1] == "-" and word[1:].isalpha() and len(word) <= len("-sSLku")
    return is_group and len(name) == len("-u") and word.endswith(name[1])


def _secrets_among(text: str, words: list[Span], program: str, *, plain: bool, commanded: bool) -> list[Span]:
    """Return the secrets among the words after a program's name.

    With `plain`, the value of an option may be a secret even if it is a plain word. If `commanded` is also True,
    an argument that follows no option may be a secret, too.
    """
    found: list[Span] = []
    rows = _rows_of(program)
    value_of: str | None = None
    before = ""
    for begin, end in words:
        option, word = before, text[begin:end]
        before = word
        if value_of is not None and not word.startswith("-"):
            found += _given(text, begin, end, value_of, plain=plain)
            value_of = None
            continue
        value_of = None
        other = word.rpartition("/")[2]
        if other in _PROGRAMS and (other == word or "bin/" in word):
            found += _last(text, rows, plain=plain and commanded)
            rows = _rows_of(other)
            continue
        place = next(filter(None, (row.option(word) for row in rows)), None)
        if place and place[0] > len(word):
            value_of = place[1]
        elif place:
            found += _given(text, begin + place[0], end, place[1], plain=plain)
        elif " " in word and (inner := _in_quotes(word, begin)):
            found += inner
        else:
            separators = [row.position(word, (begin, end)) for row in rows]
            separator = next((each for each in separators if each is not None), None)
            if separator is not None:
                # The word after `--name` may be its value.
                is_alone = not option.startswith("--") or "=" in option
                found += _given(text, begin, end, separator, plain=plain and commanded and is_alone)
    return found + _last(text, rows, plain=plain and commanded)


def _in_quotes(word: str, begin: int) -> list[Span]:
    """Return the secrets of a command inside a quoted word: `sh -c "mysql -psecret"`."""
    text = word[:_LONGEST_PIPE]
    return [(begin + one, begin + other) for one, other in command_secrets(text, words_in(text))]


def _last(text: str, rows: list[_Row], *, plain: bool) -> list[Span]:
    last = next((row.last for row in rows if row.last), None)
    return _given(text, *last, "", plain=plain) if last else []


def _given(text: str, begin: int, end: int, separator: str, *, plain: bool = True) -> list[Span]:
    """Return the span of the secret in the value from `begin` to `end`; empty without a secret."""
    if separator:
        at = text.find(":" if separator == "@" else separator, begin, end)
        if at < 0 or (separator == "/" and (at == begin or "@" in text[begin:at])):
            return []
        begin = at + 1
    if text.startswith("pass:", begin):  # OpenSSL's prefix of a password
        begin += len("pass:")
    quote = next((each for each in ('\\"', "\\'", '"', "'") if text.startswith(each, begin)), "")
    begin += len(quote)
    closing = text.rfind(quote or "@", begin, end) if quote or separator in {"/", "@"} else -1
    end = closing if closing >= 0 else end
    return [(begin, end)] if is_given_value(text[begin:end], plain=plain) else []

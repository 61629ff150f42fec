"""Recognition of shell commands that change no files. Such commands are not captured."""

_LONGEST = 2_000
"""Maximum length of a command to check. A longer command is a script, and unlikely to be read-only."""

_HARMLESS = ("2>&1", "&>/dev/null", "2>/dev/null", ">/dev/null", "> /dev/null")
_SUSPICIOUS = (">", "`", "$(")
"""Signs of writing to a file or running another command."""

_READ = """
basename cat cd cmp cut date df diff dirname du echo egrep false fgrep file find git grep head jq lamella ls nl
printenv printf ps pwd readlink realpath rg sleep stat tail test tr true type uname wc which whoami
"""
_GIT_READS = "blame cat-file describe diff grep log ls-files ls-tree rev-parse shortlog show status"
_READERS, _GIT_READERS = frozenset(_READ.split()), frozenset(_GIT_READS.split())
_ACTS = ("-delete", "-exec", "-ok", "-fprint", "-fls", "--pre", "--output")
"""Options that make a reading command write, or run another command."""


def only_reads(command: str) -> bool:
    """Return True only if the command is known to be read-only."""
    if len(command) > _LONGEST:
        return False
    for each in _HARMLESS:
        command = command.replace(each, " ")
    if any(sign in command for sign in _SUSPICIOUS):
        return False
    parts = _parts(command)
    return parts is not None and all(_reads(words) for words in parts if words)


def _reads(words: list[str]) -> bool:
    if words[0] not in _READERS or any(word.startswith(_ACTS) for word in words):
        return False
    return words[0] != "git" or (words[1:2] or [""])[0] in _GIT_READERS


def _parts(command: str) -> list[list[str]] | None:
    """Return the words of each simple command; None if the command is too complex or a quotation is unclosed."""
    parts: list[list[str]] = [[]]
    word, quote = "", ""
    for character in f"{command}\n":
        if character == "\\" and quote != "'":
            return None
        if quote:
            quote, word = ("", word) if character == quote else (quote, word + character)
        elif character in "'\"":
            quote = character
        elif character == "#" and not word:
            return None  # a comment, in which quotation marks have no meaning
        elif character not in " \t\n;|&()":
            word += character
        else:
            if word:
                parts[-1].append(word)
                word = ""
            if character not in " \t":
                parts.append([])
    return None if quote else parts

"""Find lines of a private key if its first line is missing, as in a hunk of a key file.

Hooks check every text, so this module must be fast: it imports nothing, and reads a text line by line only if it
finds a long run of base64 characters.
"""

_SHORTEST, _LONGEST = 60, 70
"""Minimum and maximum length of a full line of a key.

Lines have 64 characters in PEM, PGP and PuTTY's format, and 70 in OpenSSH's.
"""

_LEAST_LINES = 2
"""Minimum number of consecutive full lines of a key. Before an `-----END` line, one full line is enough."""

_MOST_LAST = 2
"""Maximum number of last lines of a key. A diff may show the old and the new last line."""

_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_ONE_LETTER = bytes(ord("A") if chr(each) in _BASE64 else each for each in range(256))
_BEGINS, _ENDS = "-----BEGIN ", "-----END "
_PRIVATE = "PRIVATE KEY"


def key_lines(text: str) -> list[tuple[int, int]]:
    """Return the spans of a private key's lines, without diff signs, in order.

    Lines between the `BEGIN` and `END` lines of anything else, such as a certificate, are left out.
    """
    if b"A" * _SHORTEST not in text.encode("ascii", "replace").translate(_ONE_LETTER):
        return []
    found: list[tuple[int, int]] = []
    run: list[tuple[int, int]] = []
    full = rest = at = 0
    public = False
    for line in text.split("\n"):
        start, end = _word(line, at)
        word = text[start:end]
        at += len(line) + 1
        if not public and _is_full(word):
            run.append((start, end))
            full, rest = full + 1, 0
        elif full and rest < _MOST_LAST and _is_last(word):
            run.append((start, end))
            rest += 1
        else:
            if _ends_key(line, full):
                found += run
            run, full, rest = [], 0, 0
            if _BEGINS in line or _ENDS in line or line.startswith("@@"):
                public = _BEGINS in line and _PRIVATE not in line
    return found + run if full >= _LEAST_LINES else found


def _ends_key(line: str, full: int) -> bool:
    """Return True if the run of lines before `line` belongs to a private key. `full` counts its full lines.

    An `-----END` line names its content. Before any other line, the run belongs to a key if it is long enough.
    """
    return _PRIVATE in line if _ENDS in line else full >= _LEAST_LINES


def _word(line: str, at: int) -> tuple[int, int]:
    """Return the span of a line's text at `at`, without white space and the diff sign."""
    said = line[1:] if line[:1] in ("+", "-") else line
    start = at + len(line) - len(said.lstrip())
    return start, start + len(said.strip())


def _is_full(word: str) -> bool:
    """Return True if a word is a full line of a key: it has digits, capitals and small letters.

    A line of hexadecimal digits has only capitals or only small letters.
    """
    return (
        _SHORTEST <= len(word) <= _LONGEST
        and _BASE64.issuperset(word)
        and any(map(str.isdigit, word))
        and word not in (word.lower(), word.upper())
    )


def _is_last(word: str) -> bool:
    """Return True if a word can be the last line of a key."""
    return 0 < len(word) <= _LONGEST and len(word) % 2 == 0 and _BASE64.issuperset(word.rstrip("="))

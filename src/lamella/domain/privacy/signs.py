"""Signs of secrets in a text: substrings that decide which finders must run.

Each hook runs in a new process. Importing a finder takes longer than all other work of a hook, and most texts have
no secret. This module therefore imports nothing but the table of signs (`signs.tsv`), generated from the tables of
the finders. If a text has none of a finder's signs, the finder would find nothing.
"""

from lamella.domain.tables import read_rows

_LEAST = 20
"""Minimum length of a token in any format. Shorter words can be skipped."""

_DOTTED_LEAST = 58
_DOTTED_HEADS = "MNOp"
"""First characters of tokens in two formats that begin with a single letter or a common word.

These formats are searched for only in long words with a dot.
"""

_LEAST_OF_KEY = 28
"""Minimum length of a key that is recognised without a word such as `token` beside the key."""

_LINE_OF_KEY = b"A" * 60
_DIGITS, _LETTERS = b"0123456789", b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEYS_AS_ONE_LETTER = bytes.maketrans(_DIGITS + _LETTERS + b"+/", b"A" * 64)


def _blanks_all_but(kept: bytes) -> bytes:
    others = bytes({*range(256)}.difference(kept))
    return bytes.maketrans(others, b" " * len(others))


_WORDS_ONLY = _blanks_all_but(_DIGITS + _LETTERS + b"-._")
_LETTERS_ONLY = _blanks_all_but(_LETTERS)
_IN_PASSWORDS = b"_-!@#$%^&*?~"
SHAPE = (
    _blanks_all_but(_DIGITS + _LETTERS + _IN_PASSWORDS + b".")
    .translate(bytes.maketrans(_DIGITS, b"0" * 10))
    .translate(bytes.maketrans(_LETTERS + _IN_PASSWORDS, b"a" * 64))
)
"""Table for `bytes.translate`: letters and signs of passwords become `a`, digits `0`, all else spaces."""
_ENDS = {ord(each): " " for each in "\"'`<()[]{},;|\\"}

_SIGNS = {kind: "\t".join(signs).split(";;") for kind, *signs in read_rows(__file__, "signs.tsv")}
"""Signs by their kind."""

_OF_EACH_TEXT = ("marked", "options", "forms in capitals")
"""Kinds of signs to search for in the text as it is. Other kinds are searched for in the text in small letters."""

_HEADS = tuple(_SIGNS["heads"])
_PROGRAMS, _WRITERS, _USERS, PASSWORD_OPTIONS, _PAIRS, _VALUES, _TELLING = (
    frozenset(_SIGNS[kind])
    for kind in ("programs", "writers", "users", "passwords", "pairs", "values", "telling words")
)


def words_in(text: str) -> list[str]:
    """Return the words of ASCII letters, digits, `_`, `-` and `.`, without the signs of a diff."""
    separated = text.encode("ascii", "replace")
    if b"\\" in separated:
        separated = separated.replace(b"\\n", b" ").replace(b"\\r", b" ").replace(b"\\t", b" ")
    if b"\n-" in separated:
        separated = separated.replace(b"\n-", b"\n ")
    return separated.translate(_WORDS_ONLY).decode("ascii").removeprefix("-").split()


def places_of(part: str, text: str) -> list[int]:
    """Return the offsets of all occurrences of `part` in a text, in order."""
    places = []
    at = -1
    while (at := text.find(part, at + 1)) >= 0:
        places.append(at)
    return places


def lowered(text: str) -> str:
    """Return a text in small letters, with the same length. Only the Turkish capital I with a dot would grow."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.replace("\u0130", "I").lower()


def after(text: str, start: int, signs: str, *, alphanumeric: bool = False, most: int = 40) -> int:
    """Return the end of the run of characters in `signs` that begins at `start`; at most `most` characters.

    With `alphanumeric`, letters and digits belong to the run, too.
    """
    end = start
    last = min(len(text), start + most)
    while end < last and (text[end] in signs or (alphanumeric and text[end].isalnum())):
        end += 1
    return end


class Signs:
    """Signs of secrets (substrings that suggest a secret) in a non-empty text.

    Attributes:
        words: Words of the text.
        forms: Signs of statements and other forms with a secret.
        names: Signs of names of secrets.
    """

    __slots__ = ("_found", "_lower", "_text", "forms", "names", "words")

    def __init__(self, text: str) -> None:
        """Read the words."""
        self._text, self._lower = text, text.lower()
        self.words = words_in(text)
        self._found = {kind: {sign for sign in _SIGNS[kind] if sign in text} for kind in _OF_EACH_TEXT}
        forms = {sign for sign in _SIGNS["forms"] if sign in self._lower}
        self.forms = forms | self._found["forms in capitals"]
        self.names = {sign for sign in _SIGNS["names"] if sign in self._lower}

    def of_formats(self) -> set[str]:
        """Return signs of keys and tokens of known formats."""
        found = set(self._found["marked"])
        if "@" in self._text and ":/" in self._text:
            found.add(":/")
        long = [word.lstrip("-_.") for word in self.words if len(word) >= _LEAST]
        if long:
            found |= _found("inside", " ".join(long))
        for word in long:
            if word.startswith(_HEADS):
                found.update(head for head in _HEADS if word.startswith(head))
            if len(word) >= _DOTTED_LEAST and word[0] in _DOTTED_HEADS and "." in word:
                found.add(".")
        return found

    def of_lines_of_keys(self) -> bool:
        """Return True if the text may hold lines of a private key."""
        return _LINE_OF_KEY in self._text.encode("ascii", "replace").translate(_KEYS_AS_ONE_LETTER)

    def of_addresses(self) -> bool:
        """Return True if the text may hold an address with a password."""
        words = self._text.replace("\n", " ").replace("\t", " ").split(" ") if "@" in self._text else ()
        return any("@" in word and ":" in word.rpartition("@")[0] for word in words)

    def of_commands(self) -> bool:
        """Return True if the text may hold a command line with a secret."""
        words = frozenset(self.words)
        has_password = not PASSWORD_OPTIONS.isdisjoint(words) or any(
            each in self._text for each in (" -p", " -t ")
        )
        return not (
            _PROGRAMS.isdisjoint(words)
            and _VALUES.isdisjoint(words)
            and (_WRITERS.isdisjoint(words) or not _found("pipes", self._text))
            and (_USERS.isdisjoint(words) or not has_password)
            and (_PAIRS.isdisjoint(words) or ":" not in self._text)
            and not self._found["options"]
        )

    def of_calls(self) -> set[str]:
        """Return names of functions with a secret as argument, and signs of pairs of user and password."""
        has_literal = any(quote in self._text for quote in "\"'`")
        return _found("calls", self._lower) if has_literal else set()

    def of_evidence(self) -> bool:
        """Return True if a line of the text may have other evidence of a secret."""
        text = self._text
        if text[0] in "/~." and "?" not in text and len(text.split()) == 1:
            return False  # the text is a path
        encoded = text.encode("ascii", "replace")
        shape = encoded.translate(SHAPE)
        is_worth = any(each in shape for each in (b"a0", b"0a", b"a.0")) or _found("near", self._lower)
        return bool(is_worth) and not (
            PASSWORD_OPTIONS.isdisjoint(self.words)
            and not _found("telling", self._lower)
            and _TELLING.isdisjoint(encoded.lower().translate(_LETTERS_ONLY).decode("ascii").split())
            and not self._has_key()
        )

    def _has_key(self) -> bool:
        """Return True if a long word may be a key that only a name or option before it reveals."""
        words = self._text.translate(_ENDS).split()
        has_more = len(words) > 1 or any(joint in self._text for joint in "=:/@>&")
        return has_more and any(len(word) >= _LEAST_OF_KEY for word in words)


def _found(kind: str, text: str) -> set[str]:
    """Return the signs of this kind of secret that a text contains."""
    return {sign for sign in _SIGNS[kind] if sign in text}

"""Fingerprints of lines and statements of code, by which the ledger recognises removed code.

A fingerprint is a hash of 8 bytes. For a line, it ignores indentation, spacing, the kind of quotes and a trailing
comma. For a statement, possibly of several lines, it also ignores line breaks and the names of variables; calls,
attributes, strings and numbers distinguish statements. No language is parsed, because brackets, words, strings and
comments look alike in most languages.

Hooks import this module, so it must load fast.
"""

import re
import struct
from _blake2 import blake2b  # hashlib would load OpenSSL, which takes as long as the rest of a hook
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lamella.domain.ledger.hunks import EDITS_APART, LINE_CUT, MAX_LINE_CHARACTERS

FINGERPRINT_BYTES = 8
"""Size of a fingerprint. Among a million lines, a collision has a probability of 1 in 10 million."""

LEAST_LINE_CHARACTERS = 12
"""Minimum length of a distinctive line, without white space. Shorter lines are too common."""

_LEAST_STATEMENT_TOKENS = 5
_LEAST_TEXT_CHARACTERS = 5
"""Minimum length of a distinctive string, including quotes."""
_MOST_STATEMENT_LINES = 20
"""Maximum number of lines of a statement. A truncated patch may never close a bracket."""

_TOKEN = re.compile(
    r"""(?P<comment>\#.*|//.*|/\*.*?(?:\*/|$)|<!--.*)
    |(?P<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?)
    |(?P<word>[^\W\d]\w*)
    |(?P<other>\d[\w.]*|[-+*/%=<>!&|:.]+|\S)""",
    re.VERBOSE,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_WORDS = """
and as assert async await break case catch class const continue def default del do elif else enum except
export extends final finally fn for from func function global if impl import in interface is let match mut
namespace new nonlocal not null or package pass private protected pub public raise return static struct super
switch this self throw throws trait try type typeof use using var void where while with yield None True False
nil true false
"""
_KEYWORDS = frozenset(_WORDS.split())
_TRIVIAL = re.compile(
    r"(?:import|package|use|using|require|include|from\s+\S+\s+import|\#\s*include)\b|export\s+\*|@\w+$"
    r"|\#|//|/\*|\*|<!--|--|\"\"\"|'''"
    r"|[\s}]*(?:else|try|finally|do|begin|end|break|continue|pass|fi|done|esac|return|yield|raise|throw)\b"
    r"[\s:;{}]*(?:None|True|False|null|nil|true|false|self|this|result|0|1)?[\s:;{}]*$"
)
"""Lines that most files have: imports, comments, plain decorators, and statements of about one word."""
_SPACE = re.compile(r"\s+")


class Unit(NamedTuple):
    """Distinctive line or statement: its fingerprint, the number of its line in the text, and its length."""

    fingerprint: int
    line: int
    characters: int


def line_units(lines: Sequence[str]) -> Iterator[Unit]:
    """Yield the distinctive lines, in order.

    Skips very short lines, blank lines, braces, imports, comments, `else`, `return` and `pass`.
    """
    for number, line in enumerate(lines):
        text = line.strip()
        if not LEAST_LINE_CHARACTERS <= len(text) <= MAX_LINE_CHARACTERS or _TRIVIAL.match(text):
            continue
        bare = _SPACE.sub("", text).replace("'", '"').rstrip(",;")
        if len(bare) >= LEAST_LINE_CHARACTERS:
            yield Unit(_fingerprint(b"line", bare), number, len(bare))


def statement_units(lines: Sequence[str]) -> Iterator[Unit]:
    """Yield the distinctive statements, in order, each with the number of its first line.

    Skips short statements, and statements without a call, attribute or string.
    """
    shape = _Shape(0)
    for number, line in enumerate(lines):
        if not shape.tokens:
            shape.first = number
        if len(line) <= MAX_LINE_CHARACTERS:
            shape.read(line)
        if shape.depth == 0 or number - shape.first >= _MOST_STATEMENT_LINES:
            yield from shape.units()
            shape = _Shape(number)
    yield from shape.units()


class _Shape:
    """Beginning of a statement, read line by line, without the names of variables."""

    __slots__ = ("depth", "first", "telling", "tokens")

    def __init__(self, first: int) -> None:
        self.first = first
        self.depth = 0
        self.telling = False
        self.tokens: list[str] = []

    def read(self, line: str) -> None:
        found = [(token.lastgroup, token.group()) for token in _TOKEN.finditer(line)]
        for place, (kind, text) in enumerate(found):
            if kind == "word" and text not in _KEYWORDS:
                called = place + 1 < len(found) and found[place + 1][1] == "("
                kept = called or (place > 0 and found[place - 1][1] == ".")
                self.telling |= kept
                self.tokens.append(text if kept else "_")
            elif kind == "text":
                self.telling |= len(text) >= _LEAST_TEXT_CHARACTERS
                self.tokens.append(text.replace("'", '"'))
            elif kind != "comment":
                if text in _OPENING:
                    self.depth += 1
                elif text in _CLOSING:
                    self._close()
                self.tokens.append(text)

    def units(self) -> Iterator[Unit]:
        text = "".join(self.tokens).rstrip(",;")
        if (
            self.telling
            and len(self.tokens) >= _LEAST_STATEMENT_TOKENS
            and self.tokens[0] not in ("import", "from")
        ):
            yield Unit(_fingerprint(b"shape", text), self.first, len(text))

    def _close(self) -> None:
        self.depth = max(0, self.depth - 1)
        if self.tokens and self.tokens[-1] == ",":
            self.tokens.pop()


def fingerprints(lines: Sequence[str]) -> frozenset[int]:
    """Return the fingerprints of all distinctive lines and statements."""
    return frozenset(unit.fingerprint for units in (line_units, statement_units) for unit in units(lines))


def packed(fingerprints: Iterable[int]) -> bytes:
    """Return fingerprints as bytes, sorted by value."""
    ordered = sorted(fingerprints)
    return struct.pack(f">{len(ordered)}Q", *ordered)


def unpacked(stored: bytes) -> frozenset[int]:
    """Return the fingerprints stored by `packed`."""
    return frozenset(struct.unpack(f">{len(stored) // FINGERPRINT_BYTES}Q", stored))


def _fingerprint(kind: bytes, text: str) -> int:
    return int.from_bytes(
        blake2b(text.encode(errors="replace"), digest_size=FINGERPRINT_BYTES, person=kind).digest(), "big"
    )


_HUNK = "@@"


class LineFingerprints(NamedTuple):
    """Fingerprints of the net additions and removals in one file."""

    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()


def fingerprints_of(hunks: Sequence[str]) -> tuple[LineFingerprints, ...]:
    """Return the fingerprints of the lines that each change of an observation has added and removed.

    See `describe.line_fingerprints`.
    """
    found = [_of_file(each) for each in hunks]
    return tuple(
        own._replace(removed=own.removed.difference(*(other.added for other in found if other is not own)))
        for own in found
    )


def _of_file(hunks: str) -> LineFingerprints:
    added: frozenset[int] = frozenset()
    removed: frozenset[int] = frozenset()
    for edit in hunks.split(EDITS_APART):
        sides = [(fingerprints(old), fingerprints(new)) for old, new in _sides(edit)]
        before = frozenset[int]().union(*(old for old, _ in sides))
        after = frozenset[int]().union(*(new for _, new in sides))
        added, removed = (added - (before - after)) | (after - before), (removed - after) | (before - after)
    return LineFingerprints(added=added, removed=removed)


def _sides(edit: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the lines of each hunk before the edit, together with the lines after the edit."""
    for hunk in filter(None, f"\n{edit}".split(f"\n{_HUNK}")):
        old: list[str] = []
        new: list[str] = []
        for line in hunk.split("\n"):
            # Leave out truncated lines. The hunk's header has none of these signs, so it is left out, too.
            if line[:1] in ("-", " ") and not line.endswith(LINE_CUT):
                old.append(line[1:])
            if line[:1] in ("+", " ") and not line.endswith(LINE_CUT):
                new.append(line[1:])
        yield old, new

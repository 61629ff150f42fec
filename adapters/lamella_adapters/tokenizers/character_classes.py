"""Token counts estimated from the classes of the characters, without a vocabulary to load.

A byte-pair encoder first divides a text where the class of the characters changes (letters, digits, punctuation,
blanks, line endings). The parts are called runs. The number of tokens of a run depends on its length, and on how
familiar the run is to the vocabulary. Class and length explain most of the count. So each character of a text is
replaced by a letter for its class. The result is called the shape of the text: the shape of "Ulm, 7 Uhr" is `Aaa.
0 Aaa`. The shape is divided into runs, and each run is charged with the average number of tokens of runs that have
the same shape.

A shape occurs far more often than a word, so a small cache has the charges of nearly all runs.
"""

import re
from functools import lru_cache
from typing import Final

from attrs import frozen

from lamella.domain.tables import read_rows
from lamella.ports.tokenizer import Tokenizer

# All charges are in hundredths of a token, so that sums are exact, independent of the order of the runs.
#
# The charges were fitted to real token counts, the largest of three (Claude 2's tokenizer, cl100k_base,
# o200k_base). A linear programme minimised the relative error. It punished an under-count forty times as much as
# an over-count. The fit used some 3,000 pieces of 250 to 1,000 characters: prose and program messages in 27
# languages, Python, JavaScript, JSON, logs, numbers, and random base64, hex and emoji. Then the charges were
# rounded. They were raised where an estimate for a text in `tests/unit/adapters/tokenizers/tokens` was nearly 10 %
# too low. For the remaining error, see `bench/tokens/measure.py`.
_TOKEN: Final = 100


@frozen
class _Charge:
    """Token charge of a run: a fixed part, and a part for each character."""

    run: int
    character: int
    after_space: int = 0
    """Additional charge if the run follows a space.

    Before a word, a space is part of the word's token. Before a digit, a space is a separate token.
    """

    def of(self, characters: int, *, spaced: bool = False) -> int:
        """Return the charge of a run with a number of characters, in hundredths of a token."""
        return self.run + self.character * characters + self.after_space * spaced


_FAMILIAR_LETTERS: Final = 5
"""Words up to this length are mostly one token in every vocabulary. `_WORD` charges further letters."""

_WORD: Final = _Charge(run=116, character=54, after_space=-22)
_ACCENT: Final = 250
"""Additional charge for each accented Latin letter. The letter splits the word, and often takes two tokens."""

_CAPITALS: Final = _Charge(run=40, character=30, after_space=57)
_DIGITS: Final = _Charge(run=56, character=42, after_space=84)
_CODE: Final = _Charge(run=110, character=69, after_space=30)
_RULER: Final = _Charge(run=150, character=5)
"""Charge of a line of one repeated character, such as `--------`.

Vocabularies have such lines as single tokens in several lengths, up to 64 or more.
"""

_CODE_PIECES: Final = 3
_CODE_PIECE_LENGTH: Final = 4
"""Maximum average length of the pieces of a code. A code has at least three pieces.

Codes (base64, a hash, an id) aren't in any vocabulary. `camelCaseNames` have longer pieces, and `utf8` has only
two.
"""

_RULER_LENGTH: Final = 4

_LONGEST_RUN: Final = 64
"""Maximum length of a run.

Longer runs are charged in parts, to bound the size of cached runs and the cost of matches.
"""

_RUN: Final = re.compile(
    rb" ?(?:[Aae0]{1,%(n)d}|[.-]{1,%(n)d})|\n{1,%(n)d}| [ \t]{1,%(n)d}|\t[ \t]{0,%(n)d}|" % {b"n": _LONGEST_RUN}
    + b"|".join(b"%c{1,%d}" % (ord(c), _LONGEST_RUN) for c in "gcsdtivojhkfm")
    + rb"|\?{1,%d}" % _LONGEST_RUN
)
"""Runs of a shape. A single space belongs to the word or sign after it, and costs nothing before other runs."""

_PIECE: Final = re.compile(rb"A?[ae]+|A+|0+")
"""Pieces of a name: `parseHTTP2` is `parse`, `HTTP`, `2`."""

_BLOCKS: Final = ((b"\xe0\xa4", b"\xfc"), (b"\xe0\xa5", b"\xfc"), (b"\xe0\xb8", b"\xfd"), (b"\xe0\xb9", b"\xfd"))
"""Devanagari (U+0900 to U+097F) and Thai (U+0E00 to U+0E7F) share the lead byte E0 with more expensive scripts.

So the first two of their three bytes are replaced by a byte unused in UTF-8.
"""

_CONTINUATION: Final = bytes(range(0x80, 0xC0))
"""Continuation bytes of UTF-8. Without them, each character has exactly one byte."""


def _tables() -> tuple[bytes, dict[str, _Charge]]:
    """Return a table for `bytes.translate`, which maps lead bytes to classes, and the charges, keyed by class.

    Classes without a charge are charged by length and form: names, numbers, and lines such as `-----`.
    """
    classes, charges = bytearray(b"?" * 256), dict[str, _Charge]()
    for written, ranges, _, *numbers in read_rows(__file__, "character_classes.tsv"):
        letter = written.encode().decode("unicode_escape")
        for first, _, last in (each.partition("-") for each in ranges.split()):
            for byte in range(int(first, 16), int(last or first, 16) + 1):
                classes[byte] = ord(letter)
        if numbers:
            charges[letter] = _Charge(*map(int, numbers))
    return bytes(classes), charges


_CLASSES, _CHARGES = _tables()


def _piece_charge(piece: bytes, *, spaced: bool) -> int:
    if piece.endswith((b"a", b"e")):
        unfamiliar = max(0, len(piece) - _FAMILIAR_LETTERS)
        return _WORD.of(unfamiliar, spaced=spaced) + _ACCENT * piece.count(b"e")
    return (_DIGITS if piece.startswith(b"0") else _CAPITALS).of(len(piece), spaced=spaced)


def _name_charge(name: bytes, *, spaced: bool) -> int:
    """Return the charge of a run of letters and digits, as one code or as the sum of its pieces."""
    pieces = _PIECE.findall(name)
    if len(pieces) >= _CODE_PIECES and len(pieces) * _CODE_PIECE_LENGTH >= len(name):
        return _CODE.of(len(name), spaced=spaced)
    first, *rest = pieces
    return _piece_charge(first, spaced=spaced) + sum(_piece_charge(piece, spaced=False) for piece in rest)


@lru_cache(maxsize=8192)  # 10 MB of Python have fewer than 3,000 keys; a cache full of the longest keys takes 2 MB
def _run_charge(run: bytes) -> int:
    """Return the cost of a run, such as a word with its space, in hundredths of a token."""
    body = run.lstrip(b" ") or run
    spaced = len(body) < len(run)
    kind = chr(body[0])
    if kind in "Aae0":
        return _name_charge(body, spaced=spaced)
    if kind in ".-":
        if len(body) >= _RULER_LENGTH and body.count(b"-") == len(body):
            return _RULER.of(len(body))
        kind = "."
    return _CHARGES[kind].of(len(body), spaced=spaced)


@frozen
class ClassTokenizer(Tokenizer):
    r"""Estimator of the largest token count by three tokenizers: Claude 2's, cl100k and o200k.

    The estimate tends to be too high.

    The measured corpus has prose in English, German, Russian, Chinese, Japanese, Korean, Thai, Arabic and Hindi,
    code, JSON, logs, base64, hex and emoji. For each piece of the corpus, the estimate is at least 90 % of the
    largest of the three counts. On average over one kind of text, it is 1 to 24 % above this count. Prose with
    many long or technical words is over-counted by half, because real vocabularies have these words as single
    tokens. Drawings made of punctuation and the rarer scripts of India may be under-counted by a third. See the
    table printed by `bench/tokens/measure.py`.

    Dividing a text after a line end never lowers the total: `count(a + b) <= count(a) + count(b)` if `a` ends with
    `"\n"`. Counting takes linear time for any text.
    """

    def count(self, text: str) -> int:
        """Return the estimated tokens in `text`: 0 for the empty text, at least 1 for any other."""
        if not text:
            return 0
        utf8 = text.encode("utf-8", "surrogatepass")
        for lead, stand_in in _BLOCKS:
            utf8 = utf8.replace(lead, stand_in)
        shape = utf8.translate(_CLASSES, _CONTINUATION)
        charge = sum(map(_run_charge, _RUN.findall(shape)))
        return max(1, -(-charge // _TOKEN))

"""What FTS5 makes of words, as far as ranking needs it: tokens, phrases and how much a rare one weighs.

Hooks use this module, so it imports little.
"""

import math
from collections.abc import Iterator, Sequence
from typing import cast

import apsw

TOKENIZER = ("porter", ["unicode61"])
"""The tokenizer of our indexes, and its arguments."""

LEAST_IDF = 1e-6
"""FTS5 gives this to a term that half of the rows or more contain."""


def tokens_by(tokenizer: apsw.FTS5Tokenizer, text: str) -> list[str]:
    """The tokens that FTS5 indexes for `text`."""
    made = tokenizer(utf8(text), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return cast("list[str]", made)


def idf(hits: float, rows: int) -> float:
    """Inverse document frequency of a term that `hits` of `rows` contain, as FTS5 computes it."""
    return max(LEAST_IDF, math.log((rows - hits + 0.5) / (hits + 0.5)))


def occurrences(column: Sequence[str], phrase: Sequence[str]) -> Iterator[int]:
    """Where `phrase` begins in the tokens of a column."""
    first, length, at = phrase[0], len(phrase), -1
    for _ in range(column.count(first)):
        at = column.index(first, at + 1)
        if length == 1 or tuple(column[at : at + length]) == tuple(phrase):
            yield at


def holds(column: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether `phrase` stands in the tokens of a column."""
    return next(occurrences(column, phrase), None) is not None


def quoted(text: str) -> str:
    """`text` as a string of FTS5's query language, in which nothing is an operator."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def utf8(text: str) -> bytes:
    """`text` as FTS5 gets it, whatever is in it."""
    return text.encode(errors="replace")

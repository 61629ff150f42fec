"""Tokens and their places, phrases and inverse document frequency as in FTS5.

Hooks use this module, so it imports little.
"""

import math
from _thread import _local  # `threading` costs a hook more than the rest
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import cast

import apsw

_CHARACTERS = bytes(byte & 0xC0 != 0x80 for byte in range(256))  # noqa: PLR2004 - continuation bytes of UTF-8
"""Number of characters that begin with each byte."""

_APART = " \n "
"""Text between columns, which no phrase has."""

LEAST_IDF = 1e-6
"""FTS5's idf of a term that half of the rows or more contain."""


class _OfThread(_local):
    """Tokenizer of our indexes for a thread, because a connection serves one thread at a time."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        self.tokenizer: apsw.FTS5Tokenizer = self.connection.fts5_tokenizer("porter", ["unicode61"])


_of_thread = _OfThread()


def tokens(text: str) -> list[str]:
    """Return the tokens that FTS5 indexes for `text`, with `?` for lone surrogates."""
    utf8 = text.encode(errors="replace")
    made = _of_thread.tokenizer(
        utf8, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
    )
    return cast("list[str]", made)


def places_in(text: str) -> list[tuple[int, int, str]]:
    """Return the tokens of `text`, each after the offsets of its begin and end."""
    utf8 = text.encode(errors="replace")
    made = _of_thread.tokenizer(utf8, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    places = cast("list[tuple[int, int, str]]", made)
    if len(utf8) == len(text):
        return places
    characters = [*accumulate(utf8.translate(_CHARACTERS), initial=0)]
    return [(characters[begin], characters[end], token) for begin, end, token in places]


def pieces(text: str, most: int) -> Iterator[str]:
    """Yield the parts of `text` of at most `most` tokens each."""
    places = places_in(text)
    for first in range(0, len(places), most):
        piece = places[first : first + most]
        yield text[piece[0][0] : piece[-1][1]]


def idf(hits: float, rows: int) -> float:
    """Return the inverse document frequency of a term that `hits` of `rows` contain, as in FTS5."""
    return max(LEAST_IDF, math.log((rows - hits + 0.5) / (hits + 0.5)))


def occurrences(column: Sequence[str], phrase: Sequence[str]) -> Iterator[int]:
    """Yield the positions where `phrase` begins in the tokens of a column."""
    first, length, at = phrase[0], len(phrase), -1
    for _ in range(column.count(first)):
        at = column.index(first, at + 1)
        if length == 1 or tuple(column[at : at + length]) == tuple(phrase):
            yield at


def holds(column: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return True if `phrase` occurs in the tokens of a column."""
    return phrase[0] in column and next(occurrences(column, phrase), None) is not None


def joined(*columns: Iterable[str]) -> str:
    """Return the tokens of columns as one text. It contains the text of each phrase that a column contains.

    No token has white space in it. To look into a text takes less than half of the time that `holds` takes.
    """
    return f" {_APART.join(map(' '.join, columns))} "


def quoted(text: str) -> str:
    """Return `text` as a string literal of FTS5's query language, without operators."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'

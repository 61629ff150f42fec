"""Places of FTS5's tokens in a text."""

import threading
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import cast

import apsw

from lamella_adapters.fts5.tokens import TOKENIZER, utf8

_CHARACTERS = bytes(byte & 0xC0 != 0x80 for byte in range(256))  # noqa: PLR2004 - continuation bytes of UTF-8
"""Number of characters that begin with each byte."""

_thread = threading.local()


def places_in(text: str) -> list[tuple[int, int, str]]:
    """Return the tokens of `text`, each after the byte offsets of its begin and end."""
    made = tokenizer()(utf8(text), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return cast("list[tuple[int, int, str]]", made)


def character_of(text: str) -> Callable[[int], int]:
    """Return a function from byte offsets of FTS5 to character offsets of `text`."""
    if text.isascii():
        return lambda offset: offset
    characters = [*accumulate(utf8(text).translate(_CHARACTERS), initial=0)]
    return characters.__getitem__


def tokenizer() -> apsw.FTS5Tokenizer:
    """Return the thread's own FTS5 tokenizer, because a connection serves one thread at a time."""
    if not hasattr(_thread, "tokenizer"):
        _thread.connection = apsw.Connection(":memory:")
        _thread.tokenizer = _thread.connection.fts5_tokenizer(*TOKENIZER)
    made: apsw.FTS5Tokenizer = _thread.tokenizer
    return made


def pieces(text: str, most: int) -> Iterator[str]:
    """Yield the parts of `text` of at most `most` tokens each."""
    places, character = places_in(text), character_of(text)
    for first in range(0, len(places), most):
        piece = places[first : first + most]
        yield text[character(piece[0][0]) : character(piece[-1][1])]

"""Places of FTS5's tokens in a text."""

import threading
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import cast

import apsw

from lamella_adapters.fts5.tokens import TOKENIZER

_CHARACTERS = bytes(byte & 0xC0 != 0x80 for byte in range(256))  # noqa: PLR2004 - continuation bytes of UTF-8
"""Number of characters that begin with each byte."""


class _OfThread(threading.local):
    """FTS5 tokenizer of a thread, because a connection serves one thread at a time."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        self.tokenizer: apsw.FTS5Tokenizer = self.connection.fts5_tokenizer(*TOKENIZER)


thread = _OfThread()
"""The tokenizer of the running thread."""


def places_in(text: str) -> list[tuple[int, int, str]]:
    """Return the tokens of `text`, each after the byte offsets of its begin and end."""
    utf8 = text.encode(errors="replace")
    made = thread.tokenizer(utf8, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
    return cast("list[tuple[int, int, str]]", made)


def characters_of(text: str) -> Sequence[int]:
    """Return the character offset of `text` for each byte offset of FTS5."""
    if text.isascii():
        return range(len(text) + 1)
    return [*accumulate(text.encode(errors="replace").translate(_CHARACTERS), initial=0)]


def pieces(text: str, most: int) -> Iterator[str]:
    """Yield the parts of `text` of at most `most` tokens each."""
    places, characters = places_in(text), characters_of(text)
    for first in range(0, len(places), most):
        piece = places[first : first + most]
        yield text[characters[piece[0][0]] : characters[piece[-1][1]]]

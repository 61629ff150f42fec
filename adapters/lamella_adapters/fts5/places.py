"""Places of FTS5's tokens in a text."""

import threading
from collections.abc import Iterator
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
    """Return the tokens of `text`, each after the offsets of its begin and end."""
    utf8 = text.encode(errors="replace")
    made = thread.tokenizer(utf8, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_colocated=False)
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

"""Which vectors of a project may be near another one, as their codes tell: all of them are compared at once.

This needs numpy, as the embedders do; whoever can't import it compares the vectors themselves.
"""

import apsw
import numpy as np
from numpy import bitwise_count  # which numpy 1 doesn't have: as good as none
from numpy.typing import NDArray

from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.schema.embeddings import LIVE, PLACES, PURGED

_BLOCKS = "SELECT block, states, codes FROM code_block ORDER BY block"
_WORDS = (np.uint64, np.uint32, np.uint16, np.uint8)


def chosen(connection: apsw.Connection, code: bytes, *, most: int, purged: bool, among: str | None) -> list[int]:
    """Sequence numbers, in order, of the live or purged rows whose codes differ least from `code`.

    There are `most` of them at most; of equally near ones the later saved. Where only some rows are asked for,
    they are `among` these, an array in JSON.

    Raises:
        StorageDamagedError: the codes are not as long as this one.
    """
    rows = fetch(connection, _BLOCKS)
    states, codes = (b"".join(row[column] for row in rows) for column in (1, 2))
    if len(states) != PLACES * len(rows) or len(codes) != len(states) * len(code):
        raise damaged()
    sequences = np.add.outer([PLACES * row[0] for row in rows], np.arange(PLACES)).ravel()
    asked = np.frombuffer(states, np.uint8) == (PURGED if purged else LIVE)
    if among is not None:
        asked &= np.isin(sequences, np.fromstring(among[1:-1], np.int64, sep=","))
    there = np.flatnonzero(asked)[::-1]
    order = np.argsort(_differing(codes, code)[there], kind="stable")[:most]
    nearest: list[int] = np.sort(sequences[there[order]]).tolist()
    return nearest


def _differing(codes: bytes, code: bytes) -> NDArray[np.uint16]:
    """In how many bits each of the codes differs from this one, counted in words as long as its length allows.

    Numbers as short as these are sorted three times as fast as longer ones.
    """
    word = next(each for each in _WORDS if not len(code) % each().itemsize)
    asked = np.frombuffer(code, word)
    differing = np.zeros(len(codes) // len(code), np.uint16)
    for column, bits in zip(np.frombuffer(codes, word).reshape(-1, len(asked)).T, asked, strict=True):
        differing += bitwise_count(column ^ bits)
    return differing

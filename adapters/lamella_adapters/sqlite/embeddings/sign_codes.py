"""Candidates for nearest neighbours, chosen by comparing the sign codes of all vectors at once.

It needs numpy, as the embedders do. Without numpy the vectors themselves are compared.
"""

import apsw
import numpy as np
from numpy import bitwise_count  # numpy 1 lacks it, and then counts as missing
from numpy.typing import NDArray

from lamella_adapters.sqlite.file.connection import damaged, fetch
from lamella_adapters.sqlite.schema.embeddings import LIVE, PLACES, PURGED

_BLOCKS = "SELECT block, states, codes FROM code_block ORDER BY block"
_WORDS = (np.uint64, np.uint32, np.uint16, np.uint8)


def chosen(connection: apsw.Connection, code: bytes, *, most: int, purged: bool, among: str | None) -> list[int]:
    """Return the sequence numbers, in order, of the rows whose sign codes differ least from `code`.

    Args:
        connection: a transaction on the project's file.
        code: the sign code of the query vector.
        most: the most rows to return; among equal ones the later saved come first.
        purged: True for purged rows, False for live ones.
        among: a JSON array of the sequence numbers to choose from; None stands for all.

    Raises:
        StorageDamagedError: the stored codes have another length.
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
    """Count the bits in which each code differs from this one, in the longest words that its length allows.

    The counts have 16 bits, because numpy sorts those three times as fast as longer ones.
    """
    word = next(each for each in _WORDS if not len(code) % each().itemsize)
    asked = np.frombuffer(code, word)
    differing = np.zeros(len(codes) // len(code), np.uint16)
    for column, bits in zip(np.frombuffer(codes, word).reshape(-1, len(asked)).T, asked, strict=True):
        differing += bitwise_count(column ^ bits)
    return differing

"""Candidates for nearest neighbours, chosen by comparing the sign codes of all vectors together.

This module needs numpy, as do embedders. Without numpy, all vectors are compared instead of codes.
"""

import apsw
import numpy as np
from numpy import bitwise_count  # numpy 1 lacks this function, so numpy 1 counts as missing
from numpy.typing import NDArray

from lamella_adapters.sqlite.file.connection import failure, fetch
from lamella_adapters.sqlite.schema.embeddings import LIVE, PLACES, PURGED

_BLOCKS = "SELECT block, states, codes FROM code_block ORDER BY block"
_WORDS = (np.uint64, np.uint32, np.uint16, np.uint8)


def chosen(connection: apsw.Connection, code: bytes, *, most: int, purged: bool, among: str | None) -> list[int]:
    """Return the sequence numbers of the rows with sign codes nearest to `code`, in ascending order.

    Args:
        connection: A transaction on the project's file.
        code: The sign code of the query vector.
        most: Maximum number of rows to return. Among equally near rows, the latest are chosen.
        purged: True for purged rows, False for live ones.
        among: JSON array of the sequence numbers to choose from; None for all rows.

    Raises:
        StorageDamagedError: The stored codes haven't the same length as `code`.
    """
    rows = fetch(connection, _BLOCKS)
    states, codes = (b"".join(row[column] for row in rows) for column in (1, 2))
    if len(states) != PLACES * len(rows) or len(codes) != len(states) * len(code):
        raise failure("damaged")
    sequences = np.add.outer([PLACES * row[0] for row in rows], np.arange(PLACES)).ravel()
    asked = np.frombuffer(states, np.uint8) == (PURGED if purged else LIVE)
    if among is not None:
        asked &= np.isin(sequences, np.fromstring(among[1:-1], np.int64, sep=","))
    there = np.flatnonzero(asked)[::-1]
    order = np.argsort(_differing(codes, code)[there], kind="stable")[:most]
    nearest: list[int] = np.sort(sequences[there[order]]).tolist()
    return nearest


def _differing(codes: bytes, code: bytes) -> NDArray[np.uint16]:
    """Count the bits in which each of `codes` differs from `code`.

    The codes are compared in the longest possible machine words. The counts have 16 bits, because numpy sorts
    longer counts three times as slowly.
    """
    word = next(each for each in _WORDS if not len(code) % each().itemsize)
    asked = np.frombuffer(code, word)
    differing = np.zeros(len(codes) // len(code), np.uint16)
    for column, bits in zip(np.frombuffer(codes, word).reshape(-1, len(asked)).T, asked, strict=True):
        differing += bitwise_count(column ^ bits)
    return differing

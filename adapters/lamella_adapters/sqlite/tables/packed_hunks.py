"""Hunks of code changes, compressed.

The content of a captured edit has all its changed lines, so it serves as the dictionary: a fifth is left of the
hunks, where 42 % would be without it. Hooks use this module, so it imports little.
"""

import apsw

_LEAST_CHARACTERS = 200
"""Shorter hunks are stored as they are, so that most rows of small changes can be read by any SQLite."""


def packed(hunks: str, content: str) -> bytes | None:
    """Return hunks as they are stored with a memory of that content; None if they are too short to gain by it."""
    if len(hunks) < _LEAST_CHARACTERS:
        return None
    import zlib  # noqa: PLC0415 - hooks need it hardly ever

    packing = zlib.compressobj(level=9, zdict=content.encode())
    return packing.compress(hunks.encode()) + packing.flush()


def unpacked(stored: bytes, content: str) -> str:
    """Return hunks that `packed` made bytes of.

    Raises:
        apsw.CorruptError: They, or the content, have been altered.
    """
    import zlib  # noqa: PLC0415 - hooks need it hardly ever

    try:
        unpacking = zlib.decompressobj(zdict=content.encode())
        return (unpacking.decompress(stored) + unpacking.flush()).decode()
    except (zlib.error, UnicodeError) as error:
        raise apsw.CorruptError("hunks that were altered") from error

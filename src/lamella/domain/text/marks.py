"""Marks: hashes to recognise texts that are no longer stored, such as erased texts.

Every storage makes the same marks, so they can move between storages.
"""

import hashlib
import json
from uuid import UUID

from attrs import frozen

_BYTES = 16


@frozen
class Erased:
    """Marks of a project's erased texts."""

    project: str
    marks: frozenset[bytes]


def text_mark(*texts: str) -> bytes:
    """Return one mark for one or several texts. The mark of a message is the mark of the message's key."""
    return hashlib.blake2b(json.dumps(texts).encode(), digest_size=_BYTES).digest()


def memory_mark(id: UUID) -> bytes:
    """Return the mark of an erased memory."""
    return text_mark("memory", id.hex)


def session_mark(session: str) -> bytes:
    """Return the mark of an erased session."""
    return text_mark("session", session)


def record_mark(record: str) -> bytes:
    """Return the mark of a record of an erased session."""
    return text_mark("record", record)

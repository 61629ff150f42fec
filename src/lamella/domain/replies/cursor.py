"""Cursors: continuation points of truncated answers, without state between calls."""

import hashlib
import re

from attrs import frozen

from lamella.domain.errors import StaleCursorError
from lamella.domain.replies.answer import Answer

_CURSOR = re.compile(r"([0-9]{1,4})\.([0-9]{1,9})\.([0-9a-f]{16})")
_DIGEST_DIGITS = 16


@frozen(order=True)
class Cursor:
    """Start of a page: the index of its first item, and the offset in the item's text to start from."""

    item: int = 0
    offset: int = 0


def digest(arguments: str, answer: Answer) -> str:
    """Return a fingerprint of a question and its answer. It changes with arguments, results and their versions."""
    hits = [each for hit in answer.hits for each in (hit, *hit.folded)]
    versions = [(hit.observation.id, hit.observation.updated_at) for hit in hits]
    short_ids = tuple(hit.short_id for hit in hits)
    messages = [hit.message.number for hit in answer.messages]
    said = repr((arguments, versions, messages, short_ids, answer.missing, answer.ambiguous))
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGEST_DIGITS]


def written(cursor: Cursor, fingerprint: str) -> str:
    """Format a cursor for the answer with this fingerprint, in at most 31 characters."""
    return f"{cursor.item}.{cursor.offset}.{fingerprint}"


def read(text: str, fingerprint: str) -> Cursor:
    """Parse a cursor made by `written`.

    Raises:
        StaleCursorError: The cursor belongs to another answer, or is invalid.
    """
    match = _CURSOR.fullmatch(text.strip())
    if match is None or match.group(3) != fingerprint:
        raise StaleCursorError
    return Cursor(int(match.group(1)), int(match.group(2)))

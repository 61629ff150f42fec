"""Names of the Markdown files of an export."""

import hashlib
import re
from datetime import datetime

from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import Said
from lamella.domain.text.printing import visible

_UNFIT = re.compile(r"[\\/:*?\"<>|#^\[\]\s]+|\\u\{[0-9A-F]+\}")
_NAME_CHARACTERS, _NAME_BYTES = 60, 150
_MEMORY_FILE = re.compile(r"\d{4}(-\d\d){2} \d\d(\.\d\d){2} .*\b[0-9a-f]{8,32}\.md")
_SHORT_ID = 8


def file_name(at: datetime, title: str, id: str) -> str:
    """Return a file name for a memory or conversation, valid on any file system.

    A name begins with the time, so an import sorted by name is in chronological order, which is fast.

    Args:
        at: Time of the memory or conversation.
        title: Title, of which only the beginning is used.
        id: Id, of which only the beginning is used.
    """
    words = " ".join(_UNFIT.sub(" ", visible(title)).split())[:_NAME_CHARACTERS]
    words = words.encode()[:_NAME_BYTES].decode(errors="ignore").strip(" .")
    return " ".join(filter(None, (f"{at:%Y-%m-%d %H.%M.%S}", words, id))) + ".md"


def memory_file_name(arrival: Arrival, *, digits: int = _SHORT_ID) -> str:
    """Return the name of a memory's file. The name contains the first `digits` digits of the memory's id."""
    said = arrival.observation
    return file_name(said.occurred_at, said.title, said.id.hex[:digits])


def is_memory_file(path: str) -> bool:
    """Return True if a file's name has the form of names made by `memory_file_name`."""
    return _MEMORY_FILE.fullmatch(path.rpartition("/")[2]) is not None


def conversation_file_name(said: Said, name: str | None) -> str:
    """Return the name of a conversation's file, made from its first message."""
    digest = hashlib.sha256(said.draft.session.encode()).hexdigest()[:_SHORT_ID]
    return file_name(said.draft.at, name or said.draft.session, digest)

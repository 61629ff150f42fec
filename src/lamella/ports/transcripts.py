"""Source of past conversations.

An adapter is registered in the group `lamella.transcripts`, under the name of its client, as a callable. It takes
a file or folder, or None for the client's default folder, and returns a `Transcripts`.
"""

from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from lamella.domain.conversations.message import Batch
from lamella.domain.text.printing import stored_key


@frozen(kw_only=True)
class Source:
    """Transcript file, or another store of conversations. New messages are appended to it.

    Attributes:
        id: Permanent id. It is the same for every reader, and stays the same if the file moves.
        size: Size in bytes.
        directory: Directory of the conversation; None if unknown.
        place: Current location, for display.
    """

    id: str = field(converter=stored_key)
    size: int
    directory: Path | None = None
    place: str = ""


class Transcripts(Protocol):
    """Recorded conversations of a client."""

    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """Return all sources, oldest first. Include unreadable sources: `read` raises an error for them.

        Raises:
            TranscriptsUnreadableError: The file or folder can't be read.
        """

    @abstractmethod
    def read(self, source: Source, since: str) -> Batch:
        """Return the next part of a source: about 500 messages, or fewer at its end.

        Reading the same part again gives drafts with the same keys. Broken records, and records without messages,
        are skipped and counted. Text is complete and unchanged: the caller must redact secrets.

        Args:
            source: Source to read.
            since: Position to continue from, as in `Batch.position`; empty for the beginning. If the source was
                replaced or truncated and no longer has the position, read from the beginning.

        Raises:
            TranscriptsUnreadableError: The source can't be read.
        """


CLAUDE_CODE = "claude_code"
"""The default client."""

OpenTranscripts = Callable[[str, Path | None], Transcripts]
"""Function that opens transcripts. It takes the name of a client, and a file or folder (None for the default)."""

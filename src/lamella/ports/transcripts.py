"""Source of past conversations.

An adapter is registered in the group `lamella.transcripts` by the name of its client, as a callable that takes a
file or folder, or None for the place where the client keeps its own, and returns a `Transcripts`.
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
    """Something that holds conversations and grows at its end: a transcript file.

    Attributes:
        id: Permanent id, wherever the reader is started and the source is moved.
        size: Its size in bytes.
        directory: Directory in which the conversation took place; None if the source doesn't say.
        place: Place where its reader finds it now.
    """

    id: str = field(converter=stored_key)
    size: int
    directory: Path | None = None
    place: str = ""


class Transcripts(Protocol):
    """Conversations that a client has recorded."""

    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """Return all sources, oldest first. Unreadable ones are included: reading them says why.

        Raises:
            TranscriptsUnreadableError: The place where they should be cannot be read.
        """

    @abstractmethod
    def read(self, source: Source, since: str) -> Batch:
        """Return the next part of a source: about 500 messages, or fewer at its end.

        Reading the same part again gives drafts with the same keys. Records that are broken or no messages are
        skipped and counted. Text is whole and as it is: secrets in it are the caller's concern.

        Args:
            source: The source.
            since: Position after which to begin, as in `Batch.position`; empty for the beginning. If the source
                was replaced or cut and no longer has the position, it is read from the beginning again.

        Raises:
            TranscriptsUnreadableError: It cannot be read.
        """


CLAUDE_CODE = "claude_code"
"""The client whose conversations are meant where none is named."""

OpenTranscripts = Callable[[str, Path | None], Transcripts]
"""Opens the transcripts of a client by its name, in a file or folder, or where the client keeps its own."""

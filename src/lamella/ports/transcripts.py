"""Source of past conversations.

An adapter is registered in the group `lamella.transcripts` as a callable that takes a file or folder, or None for
the place where the client keeps its own, and gives a `Transcripts`.
"""

from abc import abstractmethod
from pathlib import Path
from typing import Protocol

from attrs import field, frozen

from lamella.domain.conversations.message import Batch
from lamella.domain.text.printing import well_formed


@frozen(kw_only=True)
class Source:
    """Something that holds conversations and grows at its end: a transcript file.

    Attributes:
        id: Permanent id, wherever the reader is started and the source is moved.
        size: Its size in bytes.
        directory: Directory in which the conversation took place; None if the source doesn't say.
        place: Place where its reader finds it now.
    """

    id: str = field(converter=well_formed)
    size: int
    directory: Path | None = None
    place: str = ""


class Transcripts(Protocol):
    """The conversations that a client has recorded."""

    __slots__ = ()

    @abstractmethod
    def sources(self) -> tuple[Source, ...]:
        """Everything that is there, oldest first; also what cannot be read, so that reading it says why.

        Raises:
            TranscriptsUnreadableError: the place where they should be cannot be read.
        """

    @abstractmethod
    def read(self, source: Source, since: str) -> Batch:
        """The next part of `source` after the position `since`: some 500 messages, or as many as there are.

        An empty position is the beginning. Reading the same part again gives drafts with the same keys. A
        position that the source no longer has, because it was replaced or cut, is read from the beginning again.
        What is no message, or broken, is skipped and counted. Text is given whole and as it is: secrets in it are
        the caller's concern.

        Raises:
            TranscriptsUnreadableError: it cannot be read.
        """

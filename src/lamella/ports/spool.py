"""Queue of captures that hooks write without the database, drained by a process that has storage open.

An adapter is registered in the group `lamella.spool` as a callable that takes the data directory and returns a
`Spool`.
"""

from abc import abstractmethod
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from attrs import field, frozen
from attrs.validators import optional

from lamella.domain.ledger.merge_edits import TICK
from lamella.domain.memories.kind import EDITED
from lamella.domain.validation import aware
from lamella.ports.transcripts import CLAUDE_CODE

_UNCERTAIN = timedelta(seconds=2)
"""Uncertainty of the time at which a command began."""

_USUAL = timedelta(minutes=1)
"""Longest assumed run time of a command if unknown."""


@frozen(kw_only=True)
class _Capture:
    """The part that all captures have.

    Its texts hold no secrets, and nothing that is marked as private: redact before you capture. Storing redacts
    nothing again.

    Attributes:
        name: Unique and permanent name of the capture; captures are ordered by it.
        at: Time at which it was made.
        directory: Working directory of its session.
        session: Id of its session, if known.
        project: Project that was set for its session, if any.
        author: Author that was set for its session, if any.
    """

    name: str
    at: datetime = field(validator=aware)
    directory: Path
    session: str | None = None
    project: str | None = None
    author: str | None = None


@frozen(kw_only=True)
class _Work(_Capture):
    """The part that all captures of work have.

    Attributes:
        reason: Reason for the work in words; empty if unknown.
        asked: Time of the user's last prompt, if known.
    """

    reason: str = ""
    asked: datetime | None = field(default=None, validator=optional(aware))


@frozen(kw_only=True)
class EditCaptured(_Work):
    """An edit of a file.

    Attributes:
        path: The file, absolute or relative to `directory`.
        former: The path before a rename, given in the same way; None if the file was not renamed.
        hunks: Unified diff without file headers.
        source: `EDITED` if the client told of the edit; `FOUND` if a later look at the working tree did.
    """

    path: str
    former: str | None = None
    hunks: str
    source: str = EDITED


@frozen(kw_only=True)
class CommandCaptured(_Work):
    """A command of a shell, which may have changed files, or another moment to look for changes.

    Attributes:
        command: Its text; empty if no command ran, and what has changed was changed by hand.
        took: How long it ran, if known.
    """

    command: str
    took: timedelta | None = None

    @property
    def began(self) -> datetime:
        """Earliest time at which it may have begun, not before the prompt if it is unknown how long it ran."""
        if not self.command:
            return self.at
        if self.took is not None:
            return self.at - self.took - _UNCERTAIN
        assumed = self.at - _USUAL
        return assumed if self.asked is None else max(assumed, self.asked - TICK)


@frozen(kw_only=True)
class TranscriptAdvanced(_Capture):
    """New messages in the transcript of a session.

    Attributes:
        transcript: File of the transcript.
        client: Name under which the reader of its client's transcripts is registered.
        ended: True if the session, or a part of it, is over and to be summed up.
    """

    transcript: Path
    client: str = CLAUDE_CODE
    ended: bool = False


@frozen(kw_only=True)
class ContextShown(_Capture):
    """Memories that a hook gave to a conversation.

    Attributes:
        event: Kind of the event at which it did, such as `prompt`.
        tokens: Size of the text.
        memories: Ids of the memories in it, each as 32 hexadecimal digits.
        edit: Edit that it warns of, as in `Activity`.
    """

    event: str
    tokens: int
    memories: tuple[str, ...] = ()
    edit: str = ""


@frozen(kw_only=True)
class Skipped(_Capture):
    """Something that was not captured, or context that was not given.

    Attributes:
        why: Reason in words.
    """

    why: str


Captured = EditCaptured | CommandCaptured | TranscriptAdvanced | ContextShown | Skipped
"""One thing that a hook wrote down."""


@frozen(kw_only=True)
class SpoolState:
    """The content of a spool.

    Attributes:
        waiting: Number of captures to be stored.
        size: Their size in bytes.
        oldest: Time of the oldest of them.
        unfinished: Number of captures whose end is missing.
        newer: Number of captures that only a newer lamella understands.
        aside: Number of captures that were set aside because they cannot be stored.
        hooked: True if hooks have ever left a trace.
    """

    waiting: int = 0
    size: int = 0
    oldest: datetime | None = None
    unfinished: int = 0
    newer: int = 0
    aside: int = 0
    hooked: bool = False


class Spool(Protocol):
    """Captures on their way to storage. Any number of processes may write and read at once."""

    @abstractmethod
    def news(self) -> bool:
        """Return True if something may have come since the last call. Cheap enough to be polled."""

    @abstractmethod
    def waiting(self, *, limit: int, after: str = "") -> tuple[Captured, ...]:
        """Return captures in order of their names. Sets unreadable ones aside; unfinished ones are not seen.

        Args:
            limit: Most captures.
            after: Name after which to begin.
        """

    @abstractmethod
    def discard(self, names: Collection[str]) -> None:
        """Delete captures. Those that are gone already are ignored."""

    @abstractmethod
    def set_aside(self, names: Collection[str]) -> None:
        """Keep captures out of `waiting`, because they cannot be stored."""

    @abstractmethod
    def state(self) -> SpoolState:
        """Return what is in the spool."""

    @abstractmethod
    def forget_reason(self, session: str) -> None:
        """Delete the reason that is noted for the next captures of a session."""

    @abstractmethod
    def silence(self, places: Collection[str]) -> None:
        """Make hooks capture and show nothing in these places, and everywhere else again.

        Args:
            places: Keys of locations, and of names of projects.
        """

    @abstractmethod
    def erase(self, session: str) -> int:
        """Delete all captures of a session, unfinished and set aside ones too. Return their number."""

"""Queue of captures, written by hooks without the database and drained by a process with open storage.

An adapter is registered in the group `lamella.spool` as a callable. It takes the data directory and returns a
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
"""Uncertainty in the start time of a command."""

_USUAL = timedelta(minutes=1)
"""Longest assumed run time of a command if unknown."""


@frozen(kw_only=True)
class _Capture:
    """Common part of all captures.

    Its texts have no secrets and no private parts: redact before you capture. Storing does not redact again.

    Attributes:
        name: Unique and permanent name of the capture; captures are ordered by it.
        at: Time of the capture.
        directory: Working directory of its session.
        session: Id of its session, if known.
        project: Project set for its session, if any.
        author: Author set for its session, if any.
        client: Registered name of the reader of its client's transcripts.
    """

    name: str
    at: datetime = field(validator=aware)
    directory: Path
    session: str | None = None
    project: str | None = None
    author: str | None = None
    client: str = CLAUDE_CODE


@frozen(kw_only=True)
class _Work(_Capture):
    """Common part of all captures of work.

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
    """A shell command that may have changed files, or another occasion to look for changes.

    Attributes:
        command: Its text; empty for an occasion to look for manual changes.
        took: Its duration, if known.
    """

    command: str
    took: timedelta | None = None

    @property
    def began(self) -> datetime:
        """Earliest possible start; with an unknown duration, not before the prompt."""
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
        ended: True if the session, or a part of it, is over and to be summed up.
    """

    transcript: Path
    ended: bool = False


@frozen(kw_only=True)
class ContextShown(_Capture):
    """Memories given to a conversation by a hook.

    Attributes:
        event: Kind of the hook's event, such as `prompt`.
        tokens: Size of the text.
        memories: Ids of the memories in it, each as 32 hexadecimal digits.
        edit: The edit of a warning, as in `Activity`.
    """

    event: str
    tokens: int
    memories: tuple[str, ...] = ()
    edit: str = ""


@frozen(kw_only=True)
class Skipped(_Capture):
    """A skipped capture, or withheld context.

    Attributes:
        why: Reason in words.
    """

    why: str


Captured = EditCaptured | CommandCaptured | TranscriptAdvanced | ContextShown | Skipped
"""One record written by a hook."""


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
    """Captures on their way to storage. Any number of processes may write and read simultaneously."""

    @abstractmethod
    def news(self) -> bool:
        """Return True if new captures may exist since the last call. Cheap enough to be polled."""

    @abstractmethod
    def waiting(self, *, limit: int, after: str = "") -> tuple[Captured, ...]:
        """Return captures in order of their names. Sets unreadable ones aside, and ignores unfinished ones.

        Args:
            limit: Most captures.
            after: Name to begin after.
        """

    @abstractmethod
    def discard(self, names: Collection[str]) -> None:
        """Delete captures. Missing ones are ignored."""

    @abstractmethod
    def set_aside(self, names: Collection[str]) -> None:
        """Keep captures out of `waiting`, because they cannot be stored."""

    @abstractmethod
    def state(self) -> SpoolState:
        """Return the contents of the spool."""

    @abstractmethod
    def forget_reason(self, session: str) -> None:
        """Delete the reason noted for the next captures of a session."""

    @abstractmethod
    def silence(self, places: Collection[str]) -> None:
        """Disable capturing and showing by hooks in these places, and enable it in all others.

        Args:
            places: Keys of locations, and of names of projects.
        """

    @abstractmethod
    def erase(self, session: str) -> int:
        """Delete all captures of a session, unfinished and set aside ones too. Return their number."""

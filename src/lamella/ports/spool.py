"""Queue of captures, written by hooks without the database and drained by a process with open storage.

An adapter is registered in the group `lamella.spool` as a callable. It takes the data directory and the
URL of the storage, and returns the `Spool` of captures for this storage.
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
"""Uncertainty of a command's start time."""

_USUAL = timedelta(minutes=1)
"""Assumed maximum duration of a command with an unknown duration."""


@frozen(kw_only=True)
class _Capture:
    """Base of all captures.

    Texts must be redacted before the capture. Storing doesn't redact them again.

    Attributes:
        name: Unique and permanent name of the capture. Captures are ordered by name.
        at: Time of the capture.
        directory: Working directory of the session.
        session: Id of the session, if known.
        project: Project set for the session, if any.
        author: Author set for the session, if any.
        client: Registered name of the client's transcript reader.
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
    """Base of captures of edits and commands.

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
        former: Path before a rename, absolute or relative like `path`; None without a rename.
        hunks: Unified diff without file headers.
        source: `EDITED` if the client reported the edit; `FOUND` if it was found in the working tree later.
    """

    path: str
    former: str | None = None
    hunks: str
    source: str = EDITED


@frozen(kw_only=True)
class CommandCaptured(_Work):
    """A shell command, or another event after which lamella looks for changed files.

    Attributes:
        command: Text of the command. Empty for another event; lamella then looks for manual changes.
        took: Duration of the command, if known.
    """

    command: str
    took: timedelta | None = None

    @property
    def began(self) -> datetime:
        """Earliest possible start of the command.

        If the duration is unknown, assume a usual duration, but no start before the user's last prompt.
        """
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
        ended: True if the session, or a part of it, has ended and should be summarised.
    """

    transcript: Path
    ended: bool = False


@frozen(kw_only=True)
class ContextShown(_Capture):
    """Memories given to a conversation by a hook.

    Attributes:
        event: Kind of the hook's event, such as `prompt`.
        tokens: Size of the given text in tokens.
        memories: Ids of the memories in the text, each as 32 hexadecimal digits.
        edit: For a warning, the edit that caused it, as in `Activity`. Otherwise empty.
    """

    event: str
    tokens: int
    memories: tuple[str, ...] = ()
    edit: str = ""


@frozen(kw_only=True)
class Skipped(_Capture):
    """A capture that a hook skipped, or context that a hook withheld.

    Attributes:
        why: The hook's reason, in words.
    """

    why: str


Captured = EditCaptured | CommandCaptured | TranscriptAdvanced | ContextShown | Skipped
"""One record written by a hook."""


@frozen(kw_only=True)
class SpoolState:
    """State of a spool.

    Attributes:
        waiting: Number of pending captures.
        size: Total size of pending captures in bytes.
        oldest: Time of the oldest pending capture.
        unfinished: Number of captures that hooks haven't written completely.
        newer: Number of captures that only a newer lamella understands.
        aside: Number of captures set aside because they can't be stored.
        hooked: True if a hook has ever run.
    """

    waiting: int = 0
    size: int = 0
    oldest: datetime | None = None
    unfinished: int = 0
    newer: int = 0
    aside: int = 0
    hooked: bool = False


class Spool(Protocol):
    """Queue of captures on their way to storage. Any number of processes may write and read concurrently."""

    @abstractmethod
    def news(self) -> bool:
        """Return True if captures may have been added since the last call. This is fast enough for polling."""

    @abstractmethod
    def waiting(self, *, limit: int, after: str = "") -> tuple[Captured, ...]:
        """Return captures, sorted by name. Set unreadable captures aside, and ignore unfinished captures.

        Args:
            limit: Maximum number of captures.
            after: Return only captures with names after this name.
        """

    @abstractmethod
    def discard(self, names: Collection[str]) -> None:
        """Delete captures. Missing captures are ignored."""

    @abstractmethod
    def set_aside(self, names: Collection[str]) -> None:
        """Exclude captures from `waiting`, because they can't be stored."""

    @abstractmethod
    def state(self) -> SpoolState:
        """Return the state of the spool."""

    @abstractmethod
    def forget_reason(self, session: str) -> None:
        """Delete the reason recorded for the next captures of a session."""

    @abstractmethod
    def silence(self, places: Collection[str]) -> None:
        """Disable hooks in these locations, and enable them in all others.

        Args:
            places: Keys of locations, and keys made of project names (`lamella.domain.projects.key.key_of_name`).
        """

    @abstractmethod
    def erase(self, session: str) -> int:
        """Delete all captures of a session, including unfinished captures. Return their number.

        Captures set aside are deleted, too.
        """

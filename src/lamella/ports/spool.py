"""Where captures wait that were made without the database, until somebody who has it open stores them.

An adapter is registered in the group `lamella.spool` as a callable that takes the data directory and gives a
`Spool`.
"""

from abc import abstractmethod
from collections.abc import Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from attrs import field, frozen
from attrs.validators import optional

from lamella.domain.memories.observation import aware


@frozen(kw_only=True)
class Captured:
    """One thing that was captured, at `at`, when the client told of an `event`.

    `name` names it for ever. `directory` is where its session was at work, `session` and `transcript` whose words
    it belongs to, `project` the one that was set for the session. An edit has a `path` and `hunks`, a unified diff
    without file headers; a shell's command has a `command`, and the time that it `took` where that is known; both
    have the `tool`, the `reason` why, and when the user had `asked` for something last. `injected` is how many
    tokens of context were given back, `skipped` why something was passed over.
    """

    name: str
    event: str
    at: datetime = field(validator=aware)
    directory: Path
    session: str | None = None
    transcript: Path | None = None
    project: str | None = None
    tool: str | None = None
    path: str | None = None
    hunks: str | None = None
    command: str | None = None
    took: timedelta | None = None
    reason: str = ""
    asked: datetime | None = field(default=None, validator=optional(aware))
    injected: int | None = None
    skipped: str | None = None


@frozen(kw_only=True)
class SpoolState:
    """What is in a spool: how many captures wait, their `size` in bytes, and when the oldest was made.

    Besides, `unfinished` ones whose end is missing, those that only a `newer` lamella understands, and what was
    set `aside` because nobody could store it.
    """

    waiting: int = 0
    size: int = 0
    oldest: datetime | None = None
    unfinished: int = 0
    newer: int = 0
    aside: int = 0
    hooked: bool = False


class Spool(Protocol):
    """Captures on their way to storage. Any number of processes may write to it and read from it at once."""

    __slots__ = ()

    @abstractmethod
    def news(self) -> bool:
        """Whether something may have come since this was asked before; costs next to nothing."""

    @abstractmethod
    def waiting(self, *, limit: int, after: str = "") -> tuple[Captured, ...]:
        """The first `limit` captures whose name comes after `after`, in order of their names.

        Whole ones only: of what is being written nothing is seen. What can't be read is set aside.
        """

    @abstractmethod
    def discard(self, names: Collection[str]) -> None:
        """Deletes captures; those that are gone already are no matter."""

    @abstractmethod
    def set_aside(self, names: Collection[str]) -> None:
        """Keeps captures where nobody looks for what is waiting."""

    @abstractmethod
    def state(self) -> SpoolState:
        """What is in it."""

    @abstractmethod
    def forget_reason(self, session: str) -> None:
        """Deletes what a session's next captures would say was their reason."""

    @abstractmethod
    def erase(self, session: str) -> int:
        """Deletes everything of a session, also what is unfinished or set aside; how many captures that were."""

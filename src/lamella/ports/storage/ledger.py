"""History of the lines of each file: added or removed, by which observation."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from attrs import field, frozen
from attrs.validators import optional

from lamella.domain.ledger.file_change import FileChange, Removal
from lamella.domain.memories.observation import Draft
from lamella.domain.validation import aware


class Recorded(StrEnum):
    """Outcome of recording a capture."""

    NEW = "new"
    JOINED = "joined"
    """It is part of an observation that was there."""
    KNOWN = "known"
    """It was recorded before, whatever has become of it since."""


@frozen(kw_only=True)
class Capture:
    """Captured change on its way to storage.

    Attributes:
        id: Id of the observation, if it becomes one of its own.
        draft: The observation that it becomes. `draft.request` is the permanent name of the capture.
        at: Time of the change.
        asked: Time of the user's last prompt before it in its session, if known.
    """

    id: UUID
    draft: Draft
    at: datetime = field(validator=aware)
    asked: datetime | None = field(default=None, validator=optional(aware))


class CodeLedger(Protocol):
    """Ledger of one project, made of the changes of its live observations, however they were saved.

    Purged observations are ignored. A file is known under its former names too: what a path was renamed from, and
    what that was renamed from before.
    """

    @abstractmethod
    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Store captures as observations that take their places in time, in one transaction.

        A capture whose request was recorded before is ignored, even if its observation was erased since. One that
        `lamella.domain.ledger.merge_edits.joined` lets join an older observation becomes part of that: the latest
        live one, by time and then sequence, that has a change with one of the capture's paths. Purged ones are
        passed over. Captures are recorded one after the other, so that one may join another of the same call.
        Others become new observations, even if another one says the same; `occurred_at` and `created_at` are `at`.

        Joining is the only way in which the text or changes of a saved observation are amended. What is joined
        keeps its id, sequence, times but `updated_at`, and its first fingerprint: a draft that says what it said
        at first is its duplicate. It is indexed anew, as are the contexts of those after it, and its vector is
        pending again.

        Returns:
            What became of each capture, in order.
        """

    @abstractmethod
    def known(self, requests: Collection[str]) -> frozenset[str]:
        """Return the ones among `requests` that were recorded."""

    @abstractmethod
    def names(self, path: str) -> tuple[str, ...]:
        """Return a path and the names that its file had before, latest first, each once.

        A change whose `former` is its own path is no rename.
        """

    @abstractmethod
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """Return at most `limit` changes of a file without hunks and versions, the latest by time and sequence.

        If `path` was a folder, these are also the changes of the files that were in it then; `.` is the folder of
        all. Several changes that one observation has of them are in the reverse of their order in it.
        """

    @abstractmethod
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """Return the removals of lines from a file, in the order of `history`, even if they are in the file again.

        Args:
            path: Present name of the file.
            fingerprints: Fingerprints of the lines, as in `lamella.domain.ledger.describe.line_fingerprints`:
                unsigned numbers of 64 bits.
        """

    @abstractmethod
    def age(self, before: datetime, *, limit: int) -> bool:
        """Drop the lines of captured edits that occurred before a time, at most `limit` in one transaction.

        What is left of each is `lamella.domain.ledger.ageing.aged`. It is indexed anew, as are the contexts of
        those after it, and its vector is pending again. `removals` answers as before. Purged ones age too; saved
        memories and learned commits never do.

        Returns:
            True if more may be left. Repeated, it comes to an end.
        """

    @abstractmethod
    def tell(self, session: str, removal: Removal) -> bool:
        """Remember that a session was told of a removal. Return True if it hadn't been told before.

        A removal is the same if its observation and path are, whatever its fingerprints. If its observation is not
        there, the answer is False. This is forgotten with the observation, and need not survive a merge.
        """

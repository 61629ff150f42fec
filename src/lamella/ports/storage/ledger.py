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
    """A captured change on its way to storage: the observation that it becomes, and the moment it took place.

    `draft.request` names the capture for ever. `asked` is when the user last asked for something in its session
    before that, where it is known.
    """

    id: UUID
    draft: Draft
    at: datetime = field(validator=aware)
    asked: datetime | None = field(default=None, validator=optional(aware))


class CodeLedger(Protocol):
    """The ledger of one project, made of the changes of its live observations, however they were saved.

    Purged observations are in none of its answers. A file is known under its former names too: what a path was
    renamed from, and what that was renamed from before.
    """

    __slots__ = ()

    @abstractmethod
    def record(self, captures: Sequence[Capture]) -> tuple[Recorded, ...]:
        """Stores each capture as an observation that takes its place in time; one transaction for all.

        One whose request was recorded before is passed over, even if that was erased since. One that
        `lamella.domain.ledger.merge_edits.joined` lets join the latest change of its file becomes part of that.
        Others are new, whatever other observation says the same; their moment, and `created_at`, is `at`.
        """

    @abstractmethod
    def known(self, requests: Collection[str]) -> frozenset[str]:
        """Return those of `requests` that were recorded."""

    @abstractmethod
    def names(self, path: str) -> tuple[str, ...]:
        """The path, and the names that its file had before, latest first."""

    @abstractmethod
    def history(self, path: str, *, limit: int) -> tuple[FileChange, ...]:
        """At most `limit` changes of a file, latest first, by moment and then sequence; without their hunks."""

    @abstractmethod
    def removals(self, path: str, fingerprints: Collection[int]) -> tuple[Removal, ...]:
        """Return the removals of lines with these fingerprints, latest first, even if they are in the file again.

        Observations have the fingerprints of `lamella.domain.ledger.describe.line_fingerprints`.
        """

    @abstractmethod
    def tell(self, session: str, removal: Removal) -> bool:
        """Remembers that a session was told of a removal from that file; whether it hadn't been.

        It is forgotten with the observation, and need not survive a merge.
        """

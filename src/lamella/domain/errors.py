"""Errors as data, formatted by `__str__`.

Errors about single memories, conversations or vectors have their own modules. Every user-visible error says what
to do next. It contains no path of the machine.
"""

from collections.abc import Sequence

from attrs import frozen

from lamella.domain.text.printing import echo
from lamella.domain.validation import InvalidValueError as InvalidValueError  # noqa: PLC0414 - all errors are imported from this module
from lamella.domain.validation import LamellaError as LamellaError  # noqa: PLC0414 - all errors are imported from this module


@frozen(kw_only=True, repr=False, slots=False)
class AdvisedError(LamellaError):
    """Something can't be used. `reason` and `advice` are sentences: why, and what to do next.

    With `commands`, `advice` is the purpose of these commands, such as "To see what was changed".
    """

    reason: str
    advice: str
    commands: Sequence[str] = ()

    def __str__(self) -> str:
        commands = f": {', '.join(self.commands)}" if self.commands else ""
        return f"{self.reason} {self.advice}{commands}"


class MemoryClosedError(LamellaError):
    """A method of `Memory` was called after the end of its `with` block."""

    def __str__(self) -> str:
        return "These memories are closed: use them inside the `with` block that opens them."


class StaleCursorError(LamellaError):
    """The results have changed since the cursor was created, or the cursor is invalid."""

    def __str__(self) -> str:
        return "This cursor is out of date. Repeat the call without it."


@frozen(kw_only=True, repr=False, slots=False)
class PathOutsideProjectError(LamellaError):
    """A path is outside the project's folder."""

    path: str

    def __str__(self) -> str:
        return (
            f"The path '{echo(self.path)}' is outside this project. "
            "Give paths relative to the project's root, or absolute ones within it."
        )


class DistantPathError(PathOutsideProjectError):
    """A remote caller passed an absolute path, but its project's root on that machine is unknown."""

    def __str__(self) -> str:
        return f"The path '{echo(self.path)}' is absolute. Give paths relative to the project's root."


class UnnamedProjectError(LamellaError):
    """A remote caller named no project."""

    def __str__(self) -> str:
        return (
            "No project is named. Send a project's name, such as the repository's, in the header Lamella-Project"
            " or as the argument 'project'."
        )


@frozen(kw_only=True, repr=False, slots=False)
class MemoryOffError(LamellaError):
    """Memory is switched off in the project.

    Attributes:
        since: Day and time, for display.
        advice: Sentence on how to switch memory on.
    """

    since: str
    advice: str = "Switch it on: lamella project on"

    def __str__(self) -> str:
        return f"Memory is off in this project (since {self.since}). {self.advice}"


@frozen(kw_only=True, repr=False, slots=False)
class UnknownProjectError(LamellaError):
    """No project has this id, name or alias; `listing` names the command to list projects."""

    asked: str
    listing: str = "lamella project list"

    def __str__(self) -> str:
        return f"No project is known as '{echo(self.asked)}'. List the known ones with: {self.listing}"


@frozen(kw_only=True, repr=False, slots=False)
class AmbiguousProjectError(LamellaError):
    """Several projects have this name."""

    asked: str
    candidates: Sequence[str]

    def __str__(self) -> str:
        return f"Several projects are called '{echo(self.asked)}'. Use an id: {', '.join(self.candidates)}"


@frozen(kw_only=True, repr=False, slots=False)
class ProjectChangeError(LamellaError):
    """A merge or split is impossible as requested."""

    reason: str

    def __str__(self) -> str:
        return self.reason


class TranscriptsUnreadableError(AdvisedError):
    """The transcripts of a client cannot be read; `advice` says what to do next."""


class PeerUnreadableError(AdvisedError):
    """The store of another memory program is missing or can't be read; `advice` says what to do next."""


class HistoryUnreadableError(AdvisedError):
    """The history of version control cannot be read; `advice` says what to do next."""


@frozen(kw_only=True, repr=False, slots=False)
class CapabilityUnsupportedError(LamellaError):
    """The storage does not declare a required capability."""

    capability: str

    def __str__(self) -> str:
        return f"This storage does not support: {self.capability}."


class StorageError(AdvisedError):
    """The storage failed. `reason` says why, and `advice` what to do next. Nothing was lost."""


class StorageBusyError(StorageError):
    """Another process kept the database locked for too long. A retry may succeed."""


@frozen(kw_only=True, repr=False, slots=False)
class StorageSlowError(StorageBusyError):
    """The call timed out while the storage was reading."""

    reason: str = "The call took too long and was stopped; nothing was changed."
    advice: str = "Search for fewer or rarer words, or only in a path or in the last days."


@frozen(kw_only=True, repr=False, slots=False)
class StorageUnreachableError(StorageError):
    """The database server doesn't respond. Nothing was changed, and a retry may succeed."""

    reason: str = "The database server cannot be reached; nothing was changed."
    advice: str = "Check the network and LAMELLA_STORAGE, then try again."


@frozen(kw_only=True, repr=False, slots=False)
class OutcomeUnknownError(StorageError):
    """The connection was lost during a commit. The change was made completely or not at all. A retry is safe."""

    reason: str = "The connection to the database server was lost; the call may or may not have taken effect."
    advice: str = "Repeat the call: nothing is saved twice."


class StorageReadOnlyError(StorageError):
    """Memories can be read, but not written."""


class StorageFullError(StorageError):
    """The storage's disk is full. Memories can still be read."""


class QuotaExceededError(StorageError):
    """The tenant has used up one of its quotas. Memories can be read."""


class StorageDamagedError(StorageError):
    """The database file is damaged, or isn't a database."""


class StorageTooNewError(StorageError):
    """A newer lamella wrote this database."""


class StorageShapeUnknownError(StorageError):
    """The tables of the database don't match its version, possibly because of a development version."""


class StorageGoneError(StorageError):
    """The database, or a part of it, was deleted or replaced."""


class BackupUnusableError(StorageError):
    """A backup is damaged, wasn't made by lamella, or was made by a newer version."""


class UnfinishedEraseError(StorageError):
    """The rows are erased, but their bytes may remain. Only storages with byte erasure raise this error."""

"""Errors of undo."""

from collections.abc import Sequence

from attrs import frozen

from lamella.domain.errors import AdvisedError

SEE, LOG = "To see what was changed", ("lamella log",)
"""Default advice of the error, and the commands to follow the advice."""


@frozen(kw_only=True)
class NotUndoableError(AdvisedError):
    """No change can be undone, or the requested change can't be undone.

    Attributes:
        instead: Name of the entry to undo first or instead, if any.
    """

    advice: str = SEE
    commands: Sequence[str] = LOG
    instead: str | None = None

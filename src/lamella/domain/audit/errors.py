"""Errors of undo."""

from attrs import frozen

from lamella.domain.errors import AdvisedError


@frozen(kw_only=True)
class NotUndoableError(AdvisedError):
    """There is no change to undo, or it can't be undone.

    Attributes:
        instead: Name of the entry to undo first or instead, if any.
    """

    instead: str | None = None

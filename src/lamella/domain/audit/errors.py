"""Errors of undo."""

from attrs import frozen

from lamella.domain.errors import AdvisedError


@frozen(kw_only=True)
class NotUndoableError(AdvisedError):
    """No change can be undone, or not the requested one.

    Attributes:
        instead: Name of the entry to undo first or instead, if any.
    """

    instead: str | None = None

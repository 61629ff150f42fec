"""Errors of undo."""

from attrs import frozen

from lamella.domain.errors import AdvisedError


@frozen(kw_only=True)
class NotUndoableError(AdvisedError):
    """A change cannot be taken back, or there is none.

    Attributes:
        instead: Name of the entry whose undo is possible or must come first, if any.
    """

    instead: str | None = None

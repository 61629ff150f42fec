"""Errors of undo."""

from attrs import frozen

from lamella.domain.errors import AdvisedError


@frozen(kw_only=True)
class NotUndoableError(AdvisedError):
    """A change cannot be taken back, or there is none.

    Attributes:
        undone_by: Number of the entry that has taken it back already; None if that isn't why.
    """

    undone_by: int | None = None

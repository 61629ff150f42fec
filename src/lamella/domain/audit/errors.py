"""Errors of undo."""

from lamella.domain.errors import AdvisedError


class NotUndoableError(AdvisedError):
    """A change cannot be taken back, or there is none."""

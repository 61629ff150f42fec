"""Kinds of memories, and sources of changes. Hooks use this module, so it imports little."""

from enum import StrEnum

EDITED = "edit"
"""The source of a captured edit."""

FOUND = "command"
"""The source of a change found after a command and not reported by an edit."""

LEARNED = "git"
"""The source of a change learned from a commit."""

ACCOUNT = "Changed "
"""Beginning of the account of a file's changes, which follows the reason. Without a reason, it is the title."""

DECISION = "decision"
"""The source of a decision, saved as a note."""


class Kind(StrEnum):
    """Kind of memory."""

    NOTE = "note"
    """Saved by hand or by an agent; a decision is a note with the source `DECISION`."""
    CHANGE = "change"
    """Captured code change."""
    SUMMARY = "summary"
    """Summary of a session."""

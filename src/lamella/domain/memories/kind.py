"""Kinds of memories, and sources of changes. Hooks use this module, so it imports little."""

from enum import StrEnum

EDITED = "edit"
"""The source of a change that an edit told of."""

FOUND = "command"
"""The source of a change that was found when a command had ended, in which no edit told of it."""

LEARNED = "git"
"""The source of a change that was learned from a commit."""

ACCOUNT = "Changed "
"""Beginning of the account of a file, after the reason. Without a reason, it is the title, with the path."""

DECISION = "decision"
"""The source of a note that says what was decided."""


class Kind(StrEnum):
    """Kind of memory."""

    NOTE = "note"
    """Saved by hand or by an agent; a decision is a note whose source is `DECISION`."""
    CHANGE = "change"
    """Captured code change."""
    SUMMARY = "summary"
    """Summary of a session."""

"""Kinds of memories, and sources of changes. Hooks use this module, so it imports little."""

from enum import StrEnum

EDITED = "edit"
"""The source of a captured edit."""

FOUND = "command"
"""The source of a change that lamella found after a shell command, without a captured edit for it."""

LEARNED = "git"
"""The source of a change learned from a commit."""

ACCOUNT = "Changed "
"""Beginning of the description of a file's changes. Without a reason, it is also the beginning of the title."""

PARTS_APART = "\n\n"
"""Separator between the parts of a captured change's text: the reason, and a description for each file."""

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

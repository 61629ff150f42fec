"""What kinds of memories there are. Hooks use this module, so it imports little."""

from enum import StrEnum


class Kind(StrEnum):
    """What kind of memory an observation is."""

    NOTE = "note"
    """Saved by hand or by an agent; a decision is a note whose source is `decision`."""
    CHANGE = "change"
    """Captured code change."""
    SUMMARY = "summary"
    """Summary of a session."""

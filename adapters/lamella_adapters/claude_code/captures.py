"""Captures, made of the fields of a hook's record."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lamella.ports.spool import (
    Captured,
    CommandCaptured,
    ContextShown,
    EditCaptured,
    Skipped,
    TranscriptAdvanced,
)

_ADVANCING = frozenset({"PreCompact", "Stop", "SessionEnd"})
"""Events after which a transcript has news."""

_ENDING = frozenset({"PreCompact", "SessionEnd"})
"""Events at which a session is summed up."""

_NOTHING = "nothing to store"
"""Why a record without content is skipped."""


def capture(
    *,
    event: str,
    transcript: Path | None,
    path: str | None,
    hunks: str | None,
    command: str | None,
    took: timedelta | None,
    reason: str,
    asked: datetime | None,
    injected: int | None,
    skipped: str | None,
    **common: Any,
) -> Captured:
    """Return the capture of these fields; `common` are those that every capture has."""
    if skipped or (skipped is not None and injected is None):
        return Skipped(why=skipped or _NOTHING, **common)
    if injected is not None:
        return ContextShown(event=event, tokens=injected, **common)
    if path is not None and hunks is not None:
        return EditCaptured(path=path, hunks=hunks, reason=reason, asked=asked, **common)
    if command is not None:
        return CommandCaptured(command=command, took=took, reason=reason, asked=asked, **common)
    if event in _ADVANCING and transcript is not None:
        return TranscriptAdvanced(transcript=transcript, ended=event in _ENDING, **common)
    return Skipped(why=_NOTHING, **common)

"""Accounts of code changes: the lines that they added and removed, as fingerprints and in words.

The hunks of a change are a unified diff without file headers. Where a file was edited several times, the hunks of
the edits follow one another in time, an empty line between them: no line of a diff is empty.
"""

from collections.abc import Sequence

from lamella.domain.ledger.hunk_fingerprints import LineFingerprints, fingerprints_of
from lamella.domain.memories.observation import CodeChange

MAX_CONTENT_CHARACTERS = 10_000
"""The longest account of a change, as for any memory that is saved."""

_PARTS = "\n\n"
"""Separates the parts of an account: the reason, and each file."""
_LEAST_TOLD = 200
"""The least number of characters for each file, as long as there is room."""
_CUT_CHARACTERS = 40
"""Room for the line that says how much was left out."""


def line_fingerprints(changes: Sequence[CodeChange]) -> tuple[LineFingerprints, ...]:
    """For each of an observation's changes which lines came and went.

    What stands on both sides of an edit did neither. What one edit took and a later one put back is back; what one
    brought and a later one took is gone. What went from one file and came in another has moved: it is not gone.
    """
    return fingerprints_of([change.hunks for change in changes])


def told(changes: Sequence[CodeChange], reason: str, limit: int = MAX_CONTENT_CHARACTERS) -> str:
    """Changes in words: the reason, then of each file how much changed and the lines that went and came.

    What went comes first, because it is nowhere else; of several files each gets an equal share of the room.
    """
    share = max(_LEAST_TOLD, (limit - len(reason)) // max(1, len(changes)))
    parts = [*([reason] if reason else []), *(_told(change, share) for change in changes)]
    return _PARTS.join(parts)[:limit]


def _told(change: CodeChange, room: int) -> str:
    came = _lines(change.additions or 0)
    counts = "" if change.additions is None else f": {came} added, {change.deletions} removed"
    renamed = f", renamed from {change.former}" if change.former else ""
    lines = [f"Changed {change.path}{renamed}{counts}."]
    room -= len(lines[0])
    for sign, title in (("-", f"Removed from {change.path}:"), ("+", f"Added to {change.path}:")):
        text = [line[1:] for line in change.hunks.split("\n") if line.startswith(sign) and line[1:].strip()]
        if text and room > len(title) + _CUT_CHARACTERS:
            lines.append(title)
            room -= len(title) + 1
            for number, line in enumerate(text):
                room -= len(line) + 1
                if room < _CUT_CHARACTERS:
                    lines.append(f"[...{_lines(len(text) - number, 'more ')}]")
                    break
                lines.append(line)
    return "\n".join(lines)


def _lines(count: int, more: str = "") -> str:
    return f"{count} {more}{'line' if count == 1 else 'lines'}"

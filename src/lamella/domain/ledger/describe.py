"""Descriptions of code changes: added and removed lines as fingerprints, and as text.

The hunks of a change are a unified diff without file headers. Hunks of several edits are in chronological order,
separated by an empty line.
"""

from collections.abc import Sequence

from lamella.domain.ledger.fingerprints import LineFingerprints, fingerprints_of
from lamella.domain.memories.kind import ACCOUNT, PARTS_APART
from lamella.domain.memories.observation import CodeChange

MAX_CONTENT_CHARACTERS = 10_000
"""Maximum length of a description. Saved memories have the same limit."""

_LEAST_TOLD = 200
"""Minimum length of each file's part, if the limit allows it."""
_CUT_CHARACTERS = 40
"""Characters reserved for a final line that counts the omitted lines."""


def line_fingerprints(changes: Sequence[CodeChange]) -> tuple[LineFingerprints, ...]:
    """Return the fingerprints of the lines added and removed by each change of an observation.

    Lines that an edit removes and adds back don't count. Lines that one edit changes and a later edit changes back
    don't count either. Lines moved between files don't count as removed.
    """
    return fingerprints_of([change.hunks for change in changes])


def described(changes: Sequence[CodeChange], reason: str, limit: int = MAX_CONTENT_CHARACTERS) -> str:
    """Describe changes as text: the reason, then for each file the numbers of changed lines and the lines.

    Removed lines come first, because no file has them any more. Several files share the available length equally.

    Args:
        changes: Changes of one observation.
        reason: Beginning of the description; may be empty.
        limit: Maximum length of the description.
    """
    share = max(_LEAST_TOLD, (limit - len(reason)) // max(1, len(changes)))
    parts = [*([reason] if reason else []), *(_described(change, share) for change in changes)]
    return PARTS_APART.join(parts)[:limit]


def _described(change: CodeChange, room: int) -> str:
    came = _lines(change.additions or 0)
    counts = "" if change.additions is None else f": {came} added, {change.deletions} removed"
    renamed = f", renamed from {change.former}" if change.former else ""
    lines = [f"{ACCOUNT}{change.path}{renamed}{counts}."]
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

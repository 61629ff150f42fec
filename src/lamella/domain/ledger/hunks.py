"""Hunks: a unified diff of a file without file headers, as code changes keep them.

Hooks use this module, so it imports nothing.
"""

EDITS_APART = "\n\n"
"""Separates the hunks of several edits of a file: no line of a diff is empty."""

MAX_HUNK_CHARACTERS = 100_000
"""The most hunks of one file that an observation keeps: what a large file has when every line of it changes."""

MAX_LINE_CHARACTERS = 300
"""The longest line that counts. Longer ones were not written by hand and are truncated."""

LINE_CUT = "[...]"
"""End of a truncated line."""

_CUT_CHARACTERS = 40
"""Room for the line that says how much was left out."""


def counted(hunks: str) -> tuple[int, int]:
    """Return how many lines hunks add and take away."""
    lines = hunks.split("\n")
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def bounded(hunks: str, limit: int = MAX_HUNK_CHARACTERS, more: int = 0) -> str:
    """Return hunks truncated to a limit, with a last line that says how many changed lines were left out.

    Redact before: a truncated secret is no longer recognisable.

    Args:
        hunks: The hunks. Lines of more than `MAX_LINE_CHARACTERS` are truncated too.
        limit: Most characters.
        more: Number of changed lines that the hunks lack already.
    """
    lines = [
        line if len(line) <= MAX_LINE_CHARACTERS else line[:MAX_LINE_CHARACTERS] + LINE_CUT
        for line in (hunks.split("\n") if hunks else ())
    ]
    if not more and len(lines) + sum(map(len, lines)) - 1 <= limit:
        return "\n".join(lines)
    room, kept = limit - _CUT_CHARACTERS, 0
    while kept < len(lines) and room > len(lines[kept]):
        room -= len(lines[kept]) + 1
        kept += 1
    left_out = more + sum(counted("\n".join(lines[kept:])))
    return "\n".join([*lines[:kept], f"[...{left_out} more changed lines]"])


def share(lengths: list[int], together: int) -> int:
    """Return the most that each text may have so that all stay within `together`; short ones leave room."""
    for taken, length in enumerate(sorted(lengths)):
        most = together // (len(lengths) - taken)
        if length > most:
            return most
        together -= length
    return max(lengths, default=0)

"""Hunks: a unified diff of a file without file headers, as stored in code changes.

Hooks use this module, so it imports nothing.
"""

EDITS_APART = "\n\n"
"""Separator between the hunks of several edits of a file. No line of a diff is empty, so it is unambiguous."""

MAX_HUNK_CHARACTERS = 100_000
"""Maximum length of a file's stored hunks: enough to rewrite a large file completely."""

MAX_LINE_CHARACTERS = 300
"""Maximum length of a line to compare. Longer lines are truncated: people don't write such lines."""

LINE_CUT = "[...]"
"""End of a truncated line."""

_CUT_CHARACTERS = 40
"""Characters reserved for a final line that counts the omitted lines."""


def counted(hunks: str) -> tuple[int, int]:
    """Return the numbers of added and removed lines."""
    lines = hunks.split("\n")
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def bounded(hunks: str, limit: int = MAX_HUNK_CHARACTERS, more: int = 0) -> str:
    """Truncate hunks to a limit. End with a line that states the number of omitted changes.

    Redact secrets first, because a truncated secret is no longer recognised.

    Args:
        hunks: The hunks. Lines of more than `MAX_LINE_CHARACTERS` are truncated too.
        limit: Maximum length of the result.
        more: Number of changed lines already missing from the hunks.
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
    """Return the length to truncate each text to, so that all texts have at most `together` characters in total.

    Texts that are shorter than this length stay whole, and leave more room for longer texts.
    """
    for taken, length in enumerate(sorted(lengths)):
        most = together // (len(lengths) - taken)
        if length > most:
            return most
        together -= length
    return max(lengths, default=0)

"""Changes of files since a memory about them was saved. Hooks use this module."""

from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import NamedTuple

_UNLIKE = ("[redacted]", "***", "[...]")
"""Texts in stored lines that replace a redacted or truncated part."""


class Freshness(StrEnum):
    """Difference between the present content of a file and the version in a memory."""

    CHANGED = "changed since"
    GONE = "gone"
    ABSENT = "file not here"
    """The file doesn't exist, and never existed in the history of the current branch."""


class FileState(NamedTuple):
    """Difference between a file and its state in a memory.

    Attributes:
        freshness: Difference of the content; None if the content is unchanged.
        commits: Number of commits that have changed the file since the save, if counted.
        path: Present path of the file; None if the path is unchanged.
    """

    freshness: Freshness | None
    commits: int | None = None
    path: str | None = None

    def __str__(self) -> str:
        said = [f"now {self.path}"] if self.path else []
        if self.freshness:
            counted = f" ({self.commits} commit{'' if self.commits == 1 else 's'})" if self.commits else ""
            said.append(f"{self.freshness}{counted}")
        return ", ".join(said)


def of_all(files: Collection[Freshness | None]) -> Freshness | None:
    """Return the freshness of a memory about several files: gone if all are gone, else changed if any changed."""
    different = set(files)
    if different == {Freshness.ABSENT}:
        return Freshness.ABSENT
    if different and different <= {Freshness.GONE, Freshness.ABSENT}:
        return Freshness.GONE
    changed = different & {Freshness.CHANGED, Freshness.GONE}
    return Freshness.CHANGED if changed else Freshness.ABSENT if Freshness.ABSENT in different else None


def keeps_lines(text: str, hunks: str) -> bool:
    """Return True if a text contains every run of lines added by a memory's hunks, ignoring indentation.

    If the hunks only remove lines, look for the lines around the removal. Redacted and truncated lines can't be
    compared; return False if there are no other lines.
    """
    runs = list(_runs(hunks, "+")) or list(_runs(hunks, " "))
    there = _joined(text.split("\n"))
    return bool(runs) and all(run in there for run in runs)


def _runs(hunks: str, sign: str) -> Iterator[str]:
    """Yield the runs of lines with a sign (`+` or a space), without lines that can't be compared."""
    run: list[str] = []
    for line in [*(each for each in hunks.split("\n") if not each.startswith("-")), ""]:
        if line.startswith(sign) and not any(each in line for each in _UNLIKE):
            run.append(line[1:])
        else:
            if any(each.strip() for each in run):
                yield _joined(run)
            run = []


def _joined(lines: Collection[str]) -> str:
    return "\n".join(["", *(line.strip() for line in lines), ""])

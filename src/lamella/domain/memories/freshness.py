"""Files that are no longer as they were when a memory about them was saved. Hooks use this module."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple


class Freshness(StrEnum):
    """Difference of a file from its former version."""

    CHANGED = "changed since"
    GONE = "gone"


class FileState(NamedTuple):
    """Difference of a file, and the number of commits that changed it since, if they were counted."""

    freshness: Freshness
    commits: int | None = None

    def __str__(self) -> str:
        if self.freshness is Freshness.GONE or not self.commits:
            return self.freshness.value
        return f"{self.freshness} ({self.commits} commit{'' if self.commits == 1 else 's'})"


def of_all(files: Collection[Freshness | None]) -> Freshness | None:
    """Return the freshness of a memory about several files: gone if all are, changed if any is not as it was."""
    if not any(files):
        return None
    return Freshness.GONE if set(files) == {Freshness.GONE} else Freshness.CHANGED

"""What of a working tree is not committed, and when its files were touched."""

from datetime import UTC, datetime
from pathlib import Path

from lamella.domain.observation import CodeChange
from lamella_adapters.git.patch_reading import AS_READ, Patch, lines
from lamella_adapters.git.process import Git, GitFailedError
from lamella_adapters.git.renames import with_moved

_MAX_DIFFERENCE_BYTES = 4 * 1024 * 1024
"""Where reading of a difference stops; files after that are left out."""

# Of larger files there is no patch.
_DIFF = ("-c", "core.bigFileThreshold=1m", "diff", *AS_READ, "--relative", "HEAD", "--")


def uncommitted(git: Git) -> tuple[CodeChange, ...] | None:
    """The change of each tracked file that differs from HEAD; None where git fails or takes too long."""
    patch = Patch()
    try:
        for line in lines(git.stream(*_DIFF)):
            patch.read(line)
            if patch.size > _MAX_DIFFERENCE_BYTES:
                patch.files.pop()  # not all of it was read
                break
    except GitFailedError:
        return None
    return with_moved(git, patch.changes())


def touched(file: Path) -> datetime:
    """When a file was touched, or the nearest folder that is there and lost it.

    Not the time of writing, which copying and moving leave as it was.
    """
    for place in (file, *file.parents):
        try:
            return datetime.fromtimestamp(place.lstat().st_ctime, UTC)
        except (OSError, ValueError):
            continue
    return datetime.fromtimestamp(0, UTC)

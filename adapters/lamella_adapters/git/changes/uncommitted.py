"""What of a working tree is not committed, and when its files were touched."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lamella.domain.memories.observation import CodeChange
from lamella.ports.working_tree import Uncommitted
from lamella_adapters.git.changes.parse_patch import (
    AS_COMPARED,
    AS_READ,
    MOST_FILES,
    Patch,
    lines,
)
from lamella_adapters.git.changes.renames import with_renames
from lamella_adapters.git.repository.process import Git, GitFailedError

_AT_ONCE = 50
"""Files of which one process of git tells, so that none has to tell of too much."""

_MAX_DIFFERENCE_BYTES = 4 * 1024 * 1024
"""Where reading what one process tells stops; its files after that are left out."""

_COMMITTED = "HEAD"
_MERGED = "AUTO_MERGE"
"""What git made of both sides, in a merge that is not finished; some git leaves behind."""

_MERGING = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""What is in git's folder while something is merged."""

_NAMES = ("diff", "--name-status", "-z", *AS_COMPARED, "--relative")

# Of larger files there is no patch.
_DIFF = ("-c", "core.bigFileThreshold=1m", "diff", *AS_READ, "--relative")


def uncommitted(git: Git, wanted: Callable[[str], bool]) -> Uncommitted | None:
    """The change of each tracked file that differs and is `wanted`; None where git fails or takes too long."""
    base = _base(git)
    listed = git.ask(*_NAMES, base, "--")
    if listed is None:
        return None
    every = [each for each in _names(listed) if wanted(each[0])]
    names = every[:MOST_FILES]
    changes: list[CodeChange] = []
    more = [each[0] for each in every[MOST_FILES:]]
    try:
        for start in range(0, len(names), _AT_ONCE):
            patch = _patch(git, base, names[start : start + _AT_ONCE])
            changes += patch.changes()
            more += patch.more
        return Uncommitted(changes=with_renames(git, base, changes), more=tuple(more))
    except GitFailedError:
        return None


def _base(git: Git) -> str:
    """What the files are compared with."""
    folder = os.fsdecode((git.ask("rev-parse", "--absolute-git-dir") or b"").removesuffix(b"\n"))
    merging = any(os.path.lexists(Path(folder, name)) for name in _MERGING)
    return _MERGED if merging and os.path.lexists(Path(folder, _MERGED)) else _COMMITTED


def _names(listed: bytes) -> list[tuple[str, ...]]:
    """The path of each file, and its former one where it was renamed."""
    parts = iter([os.fsdecode(part) for part in listed.split(b"\0")[:-1]])
    names: dict[str, tuple[str, ...]] = {}
    for status in parts:
        former = [next(parts, "")] if status.startswith("R") else []
        path = next(parts, "")
        names[path] = (path, *former)
    names.pop("", None)  # the list was too long, and ended in its middle
    return list(names.values())


def _patch(git: Git, base: str, names: Sequence[tuple[str, ...]]) -> Patch:
    """The changes of some files, as far as they are read.

    Raises:
        GitFailedError: git fails or takes too long.
    """
    patch = Patch()
    for line in lines(git.stream(*_DIFF, base, "--", *(path for each in names for path in each))):
        patch.read(line)
        if patch.size > _MAX_DIFFERENCE_BYTES:
            patch.files.pop()  # not all of it was read
            read = {file.path for file in patch.files}
            patch.more += [each[0] for each in names if each[0] not in read]
            break
    return patch


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

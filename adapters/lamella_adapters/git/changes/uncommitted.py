"""Uncommitted changes of a working tree, and the times when files were touched."""

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lamella.domain.ledger.files import Uncommitted
from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes.parse_patch import MOST_FILES, Patch, lines
from lamella_adapters.git.changes.patch import AS_COMPARED, AS_READ
from lamella_adapters.git.changes.renames import with_renames
from lamella_adapters.git.repository.process import Git, GitFailedError

_AT_ONCE = 50
"""Number of files per git process, to limit the output of a process."""

_MAX_DIFFERENCE_BYTES = 4 * 1024 * 1024
"""Maximum output to read from a process. Later files are left out."""

_COMMITTED = "HEAD"
_MERGED = "AUTO_MERGE"
"""Name under which git stores its own result of an unfinished merge.

Some versions of git keep it after the merge.
"""

_MERGING = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""Files in git's folder while a merge is unfinished."""

_NAMES = ("diff", "--name-status", "-z", *AS_COMPARED, "--relative")

# Git prints no patch of larger files.
_DIFF = ("-c", "core.bigFileThreshold=1m", "diff", *AS_READ, "--relative")


def uncommitted(git: Git, wanted: Callable[[str], bool]) -> Uncommitted | None:
    """Return the change of each tracked file for which `wanted` is true; None if git fails or takes too long."""
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
    """Return the commit or tree that files are compared with."""
    folder = os.fsdecode((git.ask("rev-parse", "--absolute-git-dir") or b"").removesuffix(b"\n"))
    merging = any(os.path.lexists(Path(folder, name)) for name in _MERGING)
    return _MERGED if merging and os.path.lexists(Path(folder, _MERGED)) else _COMMITTED


def _names(listed: bytes) -> list[tuple[str, ...]]:
    """Return the path of each file. For a renamed file, also return its former path."""
    parts = iter([os.fsdecode(part) for part in listed.split(b"\0")[:-1]])
    names: dict[str, tuple[str, ...]] = {}
    for status in parts:
        former = [next(parts, "")] if status.startswith("R") else []
        path = next(parts, "")
        names[path] = (path, *former)
    names.pop("", None)  # the list was truncated in the middle of an entry
    return list(names.values())


def _patch(git: Git, base: str, names: Sequence[tuple[str, ...]]) -> Patch:
    """Return the changes of the files `names`, as far as `Patch` reads them.

    Raises:
        GitFailedError: Git fails or takes too long.
    """
    patch = Patch()
    for line in lines(git.stream(*_DIFF, base, "--", *(path for each in names for path in each))):
        patch.read(line)
        if patch.size > _MAX_DIFFERENCE_BYTES:
            patch.files.pop()  # the patch was read only in part
            read = {file.path for file in patch.files}
            patch.more += [each[0] for each in names if each[0] not in read]
            break
    return patch


def touched(file: Path) -> datetime:
    """Return the time when a file was touched. For a missing file, use the nearest existing folder instead.

    The time is that of the last status change (ctime). The modification time would stay the same if the file was
    copied or moved.
    """
    for place in (file, *file.parents):
        try:
            return datetime.fromtimestamp(place.lstat().st_ctime, UTC)
        except (OSError, ValueError):
            continue
    return datetime.fromtimestamp(0, UTC)

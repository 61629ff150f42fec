"""Counting of the commits that changed certain files."""

import os
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from lamella_adapters.git.repository.process import Git

_HEADER = "//"
"""Prefix of a commit's time in git's output. No path begins with it."""
_LOG = ("log", "-z", f"--format={_HEADER}%ct", "--name-only", "--no-renames")


def commits_since(git: Git, files: Sequence[tuple[str, datetime]]) -> tuple[int | None, ...]:
    """Count commits with one git process for all files; see `WorkingTree.commits_since`."""
    if not files:
        return ()
    earliest = min(since for _, since in files)
    paths = dict.fromkeys(path for path, _ in files)
    listed = git.ask(*_LOG, f"--since={earliest.isoformat()}", "HEAD", "--", *paths)
    if listed is None:
        return (None,) * len(files)
    times, at = defaultdict[str, list[int]](list), 0
    for each in os.fsdecode(listed).split("\0"):
        if each.startswith(_HEADER):
            at = int(each.removeprefix(_HEADER))
        else:
            times[each.removeprefix("\n")].append(at)
    return tuple(sum(at >= since.timestamp() for at in times[path]) for path, since in files)

"""Files missing from their paths: moved, deleted, or never committed. Hooks use this module."""

import os
from collections.abc import Sequence

from lamella.domain.projects.key import FOLDER
from lamella_adapters.git.repository.asking import Ask
from lamella_adapters.git.repository.head import checked_out
from lamella_adapters.git.repository.locate import directories, find

_MOST_MOVES = 5
"""Maximum number of a file's renames to follow."""

_KNOWN = ("log", "-z", "--format=%x01%H", "--name-status", "--no-renames", "--diff-filter=AD", "HEAD", "--")
_RENAMED = ("diff-tree", "-r", "-z", "-M", "-l200", "--diff-filter=R", "--name-status", "--no-commit-id")
_COMMIT = b"\x01"
_SPARSE = "S "


def left_out(ask: Ask | None, root: str, paths: Sequence[str]) -> frozenset[str]:
    """Return the files that count as present because of a sparse checkout or an empty working tree.

    In a bare repository and a vanished working tree, all files count as present.
    """
    found = directories(root)
    bare = found is None and not find(root)[0].startswith(FOLDER)
    empty = found is not None and not os.path.lexists(f"{found[0]}/index") and checked_out(root)[1] is not None
    if bare or empty or not os.path.lexists(root):
        return frozenset(paths)
    listed = ask("ls-files", "-z", "-t", "--", *paths) if ask else None
    entries = (os.fsdecode(each) for each in (listed or b"").split(b"\0"))
    return frozenset(each.removeprefix(_SPARSE) for each in entries if each.startswith(_SPARSE))


def followed(ask: Ask, root: str, paths: Sequence[str]) -> dict[str, str | None] | None:
    """Return the present path of each moved file, and None for each file that HEAD's history never had.

    Deleted files are left out. All given paths are without a file. An orphan branch has no history yet. None if
    git gives no answer.
    """
    names = {path: path for path in paths}
    found: dict[str, str | None] | None = None
    for _ in range(_MOST_MOVES):
        log = ask(*_KNOWN, *names.values()) if names else None
        if log is None:
            orphan = found is None and checked_out(root)[1] is None and ask("rev-list", "--all", "-n1")
            return dict.fromkeys(paths) if orphan else found
        known, commits = _history(log)
        if found is None:
            found = dict.fromkeys(path for path in paths if path not in known)
        renames: dict[str, str] = {}
        for commit in dict.fromkeys(commits.values()):
            fields = [os.fsdecode(each) for each in (ask(*_RENAMED, commit) or b"").split(b"\0")]
            renames |= zip(fields[1::3], fields[2::3], strict=False)
        names = {path: renames[name] for path, name in names.items() if name in commits and name in renames}
        there = {path: name for path, name in names.items() if os.path.lexists(f"{root}/{name}")}
        found |= there
        names = {path: name for path, name in names.items() if path not in there}
    return found


def _history(log: bytes) -> tuple[set[str], dict[str, str]]:
    """Return the files that were added or deleted, and the last commit that deleted each."""
    known, deleted, commit = set[str](), dict[str, str](), ""
    fields = iter(log.split(b"\0"))
    for field in fields:
        status = field.lstrip(b"\n")
        if status.startswith(_COMMIT):
            commit = status[1:].decode()
        elif status:
            path = os.fsdecode(next(fields, b""))
            known.add(path)
            if status == b"D":
                deleted.setdefault(path, commit)
    return known, deleted

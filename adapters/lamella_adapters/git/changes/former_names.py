"""Former names of a file, or of a folder and its files."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.changes import file_version, patch
from lamella_adapters.git.changes.renames import with_renames
from lamella_adapters.git.repository.process import Git, GitFailedError

_MAX_NAMES = 500
_MAX_COMMITS = 50
"""Maximum number of commits to read, latest first, that add files to a folder."""

_ROOT = "."

_CHANGED = ("diff", "--name-status", "-z", "--diff-filter=RD", *patch.AS_COMPARED, "HEAD", "--")
_ADDING = ("log", "--format=%H", "--no-renames", "--diff-filter=A", f"--max-count={_MAX_COMMITS}", "HEAD", "--")


def former_names(git: Git, path: str) -> tuple[str, ...]:
    """Return the former names of the file or folder at `path`, latest first, at most `_MAX_NAMES`."""
    if path == _ROOT:
        return ()
    listed = git.ask("ls-tree", "-z", "HEAD", "--", path)
    committed = listed is not None and b" blob " in listed
    found = [] if committed else _former(git, [path], _uncommitted(git))
    names = [path, *found]
    for _ in range(file_version.MOST_MOVES):
        names = _former(git, names, _committed(git, names))
        if not names:
            break
        found += names
    return tuple(dict.fromkeys(found))[:_MAX_NAMES]


def _former(git: Git, names: Sequence[str], renames: Mapping[str, str]) -> list[str]:
    """Return the former names of the files at or below `names`, and of folders that were moved as a whole.

    Args:
        git: Git in the working tree.
        names: Files and folders.
        renames: Former names of files, keyed by new name.
    """
    found: dict[str, None] = {}
    sought = frozenset(names)
    for new, old in renames.items():
        for name in sought.intersection([new, *map(str, PurePosixPath(new).parents)]):
            rest = new.removeprefix(name)
            folder = old.removesuffix(rest)
            if rest and folder != old and not os.path.lexists(f"{git.folder}/{folder}"):
                found[folder] = None
            found[old] = None
    return [*found][:_MAX_NAMES]


def _uncommitted(git: Git) -> Mapping[str, str]:
    """Return the former names of files renamed since the last commit, staged or not, keyed by new name."""
    fields = _fields(git.ask(*_CHANGED))
    renames: dict[str, str] = {}
    deleted: list[CodeChange] = []
    for status in fields:
        name = next(fields, "")
        if status.startswith("R"):
            renames[next(fields, "")] = name
        else:
            deleted.append(CodeChange(path=name, deletions=1))
    try:
        moved = with_renames(git, "HEAD", deleted)
    except GitFailedError:
        return renames
    return renames | {each.path: each.former for each in moved if each.former}


def _committed(git: Git, names: Iterable[str]) -> Mapping[str, str]:
    """Return former names, keyed by new name, from the latest commits that added files below `names`."""
    commits = git.ask(*_ADDING, *names)
    if not commits:
        return {}
    fields = [*_fields(git.ask(*file_version.RENAMED, "--stdin", given=commits))]
    pairs = [*zip(fields[2::3], fields[1::3], strict=False)]
    return dict(reversed(pairs))  # in this order, the latest commit wins


def _fields(printed: bytes | None) -> Iterator[str]:
    return iter(os.fsdecode(printed or b"").split("\0")[:-1])

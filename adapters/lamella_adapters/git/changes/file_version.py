"""Versions of files, to recognise later changes. Hooks import this module.

A version has three parts: the size in bytes, the time of the last change in nanoseconds, and git's hash of the
content. The hash is missing if the content is large or must not be read. Then only size and time are compared.
"""

import os
import stat
from collections.abc import Callable, Sequence
from functools import lru_cache

from lamella.domain.memories.freshness import FileState, Freshness, keeps_lines
from lamella.domain.projects.key import FOLDER
from lamella_adapters.git.repository.asking import Ask
from lamella_adapters.git.repository.head import checked_out
from lamella_adapters.git.repository.locate import directories, find
from lamella_adapters.git.repository.paths import opened_folder

_MOST_BYTES = 5 * 1024 * 1024
"""Maximum size of a file to read."""
MOST_MOVES = 5
"""Maximum number of a file's renames to follow."""

_KNOWN = ("log", "-z", "--format=%x01%H", "--name-status", "--no-renames", "--diff-filter=AD", "HEAD", "--")
_PAIRED = ("-r", "-z", "-M", "-l200", "--diff-filter=R", "--name-status")
RENAMED = ("diff-tree", *_PAIRED, "--no-commit-id")
_STAGED = ("diff-index", "--cached", *_PAIRED, "HEAD")
_COMMIT = b"\x01"
_SPARSE = "S "


def file_version(root: str, path: str, *, read: bool) -> str | None:
    """Return the version of a file; None if `path` isn't a regular file inside `root`.

    Args:
        root: The folder that `path` is relative to, resolved.
        path: A path as `paths.relative` returns it.
        read: True if the content may be read.
    """
    try:
        size, changed = _status(root, path)
        hash = _hash(root, path, size, changed) if read and size <= _MOST_BYTES else ""
    except (OSError, ValueError):
        return None
    return f"{size} {changed} {hash}".rstrip()


def freshness(root: str, path: str, version: str | None, hunks: Callable[[], str] = str) -> Freshness | None:
    """Return how a file differs from its `version`; None if the file is unchanged or can't be read.

    If `version` has the file's size and time, the file counts as unchanged without being read. Otherwise, the file
    is unchanged if its hash is the one in `version`, or if it contains the lines of `hunks`.

    Args:
        root: The folder that `path` is relative to, resolved.
        path: A path as `paths.relative` returns it.
        version: The version; None to check only that the file exists.
        hunks: Returns the code change of the memory, a unified diff; may be empty.
    """
    try:
        size, changed = _status(root, path)
        if version is None:
            return None
        same_size, same_time, *hash = version.split()
        if int(same_size) == size and int(same_time) == changed:
            return None
        # A touch, copy or new checkout changes only the time of a file.
        same = int(same_size) == size and hash == [_hash(root, path, size, changed)]
        if not same and size <= _MOST_BYTES and (lines := hunks()):
            same = keeps_lines(_read(root, path).decode(errors="replace"), lines)
    except (FileNotFoundError, NotADirectoryError):
        there = version is None and os.path.lexists(f"{root}/{path}")
        return None if there else Freshness.GONE
    except (OSError, ValueError):
        return None
    return None if same else Freshness.CHANGED


def fates(
    ask: Ask | None, root: str, files: Sequence[tuple[str, str | None, Callable[[], str]]]
) -> tuple[FileState | None, ...]:
    """Return the changes of files since their memories were saved; None for each unchanged file.

    Args:
        ask: Asks git for the new paths of missing files; None without a repository.
        root: The top of the working tree, resolved.
        files: Path, version and hunks of each file, the arguments of `freshness`.
    """
    found = [freshness(root, *each) for each in files]
    gone = [path for (path, *_), state in zip(files, found, strict=True) if state is Freshness.GONE]
    missed = left_out(ask, root, gone) if gone else frozenset()
    gone = [path for path in gone if path not in missed]
    fate = followed(ask, root, gone) if ask and gone else None
    states: list[FileState | None] = []
    for (path, version, hunks), state in zip(files, found, strict=True):
        if path in missed:
            states.append(None)
        elif state is not Freshness.GONE:
            states.append(FileState(state) if state else None)
        elif now := (fate or {}).get(path):
            states.append(FileState(freshness(root, now, version, hunks), path=now))
        else:
            absent = version is None if fate is None else path in fate
            states.append(FileState(Freshness.ABSENT if absent else Freshness.GONE))
    return tuple(states)


def _status(root: str, path: str) -> tuple[int, int]:
    """Return the size and the time of a file.

    Raises:
        FileNotFoundError: The path isn't a regular file.
    """
    with opened_folder(root, path) as (folder, name):
        status = os.lstat(name, dir_fd=folder)
    if not stat.S_ISREG(status.st_mode):
        raise FileNotFoundError
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1024)
def _hash(root: str, path: str, size: int, changed: int) -> str:
    """Return git's hash of the content. The hash is cached until `size` or `changed` differ."""
    import hashlib  # noqa: PLC0415 - rarely needed, as most files are unchanged

    del changed
    return hashlib.sha1(b"blob %d\0" % size + _read(root, path), usedforsecurity=False).hexdigest()


def _read(root: str, path: str) -> bytes:
    with opened_folder(root, path) as (folder, name):
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            return file.read(_MOST_BYTES)


def left_out(ask: Ask | None, root: str, paths: Sequence[str]) -> frozenset[str]:
    """Return the missing files that count as present, because git hasn't checked them out.

    These are files left out of a sparse checkout, and all files of a working tree without an index. In a bare
    repository or a deleted working tree, all files count as present.
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
    """Return the present path of each moved file, keyed by former path, and None for each file unknown to HEAD.

    The files at `paths` must be missing. A file is unknown to HEAD if it was never in HEAD's history. Deleted
    files aren't in the result. Return None if git gives no answer, for example because an orphan branch has no
    history yet.
    """
    names = {path: path for path in paths}
    staged = _renames(ask(*_STAGED))
    found: dict[str, str | None] | None = None
    for _ in range(MOST_MOVES):
        log = ask(*_KNOWN, *names.values()) if names else None
        if log is None:
            orphan = found is None and checked_out(root)[1] is None and ask("rev-list", "--all", "-n1")
            return dict.fromkeys(paths) if orphan else found
        known, commits = _history(log)
        if found is None:
            found = dict.fromkeys(path for path in paths if path not in known)
        renames = dict(staged)
        for commit in dict.fromkeys(commits.values()):
            renames |= _renames(ask(*RENAMED, commit))
        ended = {*commits, *staged}
        names = {path: renames[name] for path, name in names.items() if name in ended and name in renames}
        there = {path: name for path, name in names.items() if os.path.lexists(f"{root}/{name}")}
        found |= there
        names = {path: name for path, name in names.items() if path not in there}
    return found


def _renames(printed: bytes | None) -> dict[str, str]:
    """Return the new names of files, keyed by former name."""
    fields = [os.fsdecode(each) for each in (printed or b"").split(b"\0")]
    return dict(zip(fields[1::3], fields[2::3], strict=False))


def _history(log: bytes) -> tuple[set[str], dict[str, str]]:
    """Return the files that were added or deleted, and the last commit that deleted each file."""
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

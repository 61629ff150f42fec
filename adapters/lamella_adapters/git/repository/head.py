"""Read from git's files which branch and commit are or were checked out. No git process is started.

A repository with `reftable` has no such files: there the commit is unknown.
"""

# ruff: noqa: PTH123 - importing pathlib costs a hook more than the search

import os

from lamella_adapters.git.repository.locate import directories

_REFERENCE, _BRANCHES, _REMOTE = "ref: ", "refs/heads/", "refs/remotes/origin/"
_DEFAULTS = ("main", "master")
"""Default branches of repositories whose remote names none."""

_NO_FILES = ".invalid"
"""Branch that HEAD names in a repository with reftable."""

_MOST_BYTES = 64 * 1024
"""End of the reflog that is read: some 400 entries."""

_LENGTHS = (40, 64)
"""Digits of the names of commits."""


def checked_out(root: str, at: float | None = None) -> tuple[str | None, str | None]:
    """Return the branch and the commit that are checked out, None for what is unknown.

    Args:
        root: Top of the working tree.
        at: Seconds since 1970, to return those of that time as far as HEAD's reflog tells; None for now.
    """
    found = directories(root)
    if found is None:
        return None, None
    own, common = found
    said = _text(f"{own}/HEAD").rstrip("\n")
    branch = said.removeprefix(f"{_REFERENCE}{_BRANCHES}")
    head = tip(common, branch) if branch != said else said
    known = branch if branch not in (said, _NO_FILES) else None
    for before, _, moved_at, why in reversed([] if at is None else reflog(f"{own}/logs/HEAD")):
        if at is None or moved_at <= at:
            break
        head = before if before.strip("0") else None
        if why.startswith("checkout: moving from "):
            former = why.split(" ")[3]
            known = None if is_commit(former) else former
    return known, head if is_commit(head) else None


def is_commit(name: str | None) -> bool:
    """Return True if a text names a commit by all of its digits."""
    return name is not None and len(name) in _LENGTHS and not name.strip("0123456789abcdef")


def tip(common: str, branch: str) -> str | None:
    """Return the commit of a branch in a git common directory, None if there is none."""
    if is_commit(loose := _text(f"{common}/{_BRANCHES}{branch}").strip()):
        return loose
    line = f" {_BRANCHES}{branch}"
    packed = _text(f"{common}/packed-refs").split("\n")
    return next((each.removesuffix(line) for each in packed if each.endswith(line)), None)


def default_branch(common: str) -> tuple[str, str]:
    """Return the reference and the name of the default branch, the remote's if it names one; else empty texts."""
    named = _text(f"{common}/{_REMOTE}HEAD").rstrip("\n")
    if named.startswith(_REFERENCE):
        reference = named.removeprefix(_REFERENCE)
        return reference, reference.removeprefix(_REMOTE)
    return next(((f"{_BRANCHES}{each}", each) for each in _DEFAULTS if tip(common, each)), ("", ""))


def start(common: str, branch: str) -> str | None:
    """Return the commit at which a branch was begun here; None if that is unknown, or it was fetched."""
    for _, begun, _, why in reflog(f"{common}/logs/{_BRANCHES}{branch}")[:1]:
        if why.startswith("branch: Created from ") and not why.endswith(f"/{branch}"):
            return begun
    return None


def reflog(file: str) -> list[tuple[str, str, int, str]]:
    """Return the last entries of a reflog: the commits before and after, seconds since 1970, and why."""
    entries = []
    for line in _text(file, _MOST_BYTES).split("\n"):
        by, _, why = line.partition("\t")
        words = by.split(" ")
        if len(words) > 3 and words[-2].isdecimal():  # noqa: PLR2004 - two commits, a name, a time and its zone
            entries.append((words[0], words[1], int(words[-2]), why))
    return entries


def _text(file: str, last: int = 0) -> str:
    """Return a file, or its last bytes; empty if it can't be read."""
    try:
        with open(file, "rb") as stream:
            if last:
                stream.seek(max(0, os.fstat(stream.fileno()).st_size - last))
            return os.fsdecode(stream.read())
    except (OSError, ValueError):
        return ""

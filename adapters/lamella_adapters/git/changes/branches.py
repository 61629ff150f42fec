"""Branches with work that is missing from HEAD. Hooks import this module."""

import os
from collections.abc import Collection
from functools import cache, partial

from lamella.domain.memories.checkout import Checkout
from lamella_adapters.git.repository.asking import Ask
from lamella_adapters.git.repository.head import checked_out, is_commit, start, tip
from lamella_adapters.git.repository.locate import directories

_MOST_FILES = 100
"""Maximum number of a branch's files to compare. If a branch has more, its squash merge isn't recognised."""

_CHANGED = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--merge-base")
_LOG = ("log", "-z", "--format=", "--raw", "--no-abbrev", "--no-renames")


def unmerged(ask: Ask, root: str, saved: Collection[Checkout]) -> dict[Checkout, bool]:
    """Return the checkouts with work that is missing from HEAD. The value is True if the branch is deleted.

    HEAD has the work if its history contains the commit of the checkout, or the last commit of the branch. If the
    checkout is at the commit where the branch began, this commit has no work of the branch yet. So only the last
    commit of the branch counts.

    Work that reached HEAD by a squash merge isn't missing either. A squash merge is recognised by the files that
    the branch changed: HEAD's history must contain each of them with the same content as the commit of the
    checkout or the last commit of the branch.

    Return nothing if git doesn't answer. Checkouts whose commit is missing from the repository are never returned.
    """
    present, _ = checked_out(root)
    # Check commits, because branch names and commits of imported memories may be any text.
    others = [each for each in saved if each.branch not in (None, present) and is_commit(each.head)]
    found = directories(root) if others else None
    if found is None:
        return {}
    tips = {each: tip(found[1], str(each.branch)) for each in others}
    commits = {str(commit) for each, last in tips.items() for commit in (each.head, last) if commit}
    listed = ask("rev-list", "--ignore-missing", *commits, "^HEAD", "--")
    if listed is None:
        return {}
    lacking = set(listed.decode().split())
    arrived = cache(partial(_arrived, ask))
    apart = {}
    for each, last in tips.items():
        begun = each.head == start(found[1], str(each.branch))
        lacks = each.head in lacking if last is None else last in lacking and (begun or each.head in lacking)
        ends = [end for end in (each.head, last) if end in lacking]
        if (begun and last == each.head) or (lacks and not any(map(arrived, ends))):
            apart[each] = last is None
    return apart


def _arrived(ask: Ask, commit: str) -> bool:
    """Return True if HEAD's history once had every file that a branch changed, with the content in `commit`."""
    ours = _contents(ask(*_CHANGED, "HEAD", commit) or b"")
    if not 0 < len(ours) <= _MOST_FILES:
        return False
    theirs = ask(*_LOG, f"{commit}..HEAD", "--", *(path for path, _ in ours))
    return theirs is not None and ours <= _contents(theirs)


def _contents(raw: bytes) -> set[tuple[str, bytes]]:
    """Return the path and the new content of each entry of a raw diff."""
    fields = raw.strip(b"\0\n").split(b"\0")
    return {
        (os.fsdecode(path), each.split(b" ")[3]) for each, path in zip(fields[::2], fields[1::2], strict=False)
    }

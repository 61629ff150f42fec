"""Uncommitted changes of a repository, as tests read them."""

from datetime import UTC, datetime
from pathlib import Path

from lamella.domain.memories.observation import CodeChange
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.waiting import HANG_SECONDS

TREE = GitWorkingTree(patience=HANG_SECONDS)
EVER = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
LONG = "".join(f"line number {number}\n" for number in range(20))


def uncommitted(root: Path, since: datetime = EVER[0], until: datetime = EVER[1]) -> tuple[CodeChange, ...] | None:
    """Return the changes of all files. None may be left out."""
    found = TREE.uncommitted(root, since=since, until=until)
    assert found is None or found.more == ()
    return None if found is None else found.changes


def diff(path: str, hunks: str = "") -> CodeChange:
    """Return a change with these lines, all of them counted."""
    signs = [line[:1] for line in hunks.split("\n")]
    return CodeChange(path=path, additions=signs.count("+"), deletions=signs.count("-"), hunks=hunks)

"""Compare the present files and branches of memories with their state when the memories were saved."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.ports.working_tree import WorkingTree

FILES = 100
"""Maximum number of files to check for an answer without numbers of commits.

Checking a file takes some 20 microseconds. For an answer with numbers of commits, this is the maximum number of
changed files whose commits are counted.
"""

REVIEWED = 2_000
"""Maximum number of files to check for an answer with numbers of commits."""


def file_states(
    tree: WorkingTree, root: Path, hits: Sequence[Hit], *, counted: bool
) -> Mapping[UUID, Mapping[str, FileState]]:
    """Return the states of the changed files of live hits, keyed by observation id and then by path.

    Args:
        tree: The working tree.
        root: Top of the working tree.
        hits: Hits, best first.
        counted: True to count the commits of each file since the save. This starts git.
    """
    live = [hit.observation for hit in hits if not hit.observation.purged]
    # Only notes can be outdated. Captured edits and commits describe history.
    saved = [(each, change) for each in live if each.kind is Kind.NOTE for change in each.changes]
    states: dict[UUID, dict[str, FileState]] = {}
    looked = saved[: REVIEWED if counted else FILES]
    found = list(tree.freshness(root, [change for _, change in looked])) if looked else []
    if counted:
        changed = [(n, each) for n, each in enumerate(found) if each and each.freshness is Freshness.CHANGED][
            -FILES:
        ]
        files = [(each.path or looked[n][1].path, looked[n][0].created_at) for n, each in changed]
        for (n, each), commits in zip(changed, tree.commits_since(root, files), strict=True):
            found[n] = each._replace(commits=commits)
    for (observation, change), now in zip(looked, found, strict=True):
        if now is not None:
            states.setdefault(observation.id, {})[change.path] = now
    return states


def branches(tree: WorkingTree, root: Path, hits: Sequence[Hit]) -> Mapping[UUID, str]:
    """Return remarks about live hits that were saved on an unmerged branch, keyed by observation id."""
    live = [hit.observation for hit in hits if not hit.observation.purged and hit.observation.branch]
    apart = tree.unmerged(root, {each.checkout for each in live}) if live else {}
    return {
        each.id: each.checkout.saved_on(deleted=apart[each.checkout]) for each in live if each.checkout in apart
    }

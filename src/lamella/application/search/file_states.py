"""Look whether the files and branches of memories are as they were when these were saved."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from lamella.domain.memories.freshness import FileState, Freshness
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.ports.working_tree import WorkingTree

FILES = 100
"""Most files of one answer that are looked at, some 20 microseconds each."""


def file_states(
    tree: WorkingTree, root: Path, hits: Sequence[Hit], *, counted: bool
) -> Mapping[UUID, Mapping[str, FileState]]:
    """Return the files of live hits that are not as they were, by the id of the observation and their path.

    Args:
        tree: The working tree.
        root: Its top.
        hits: The hits, best first.
        counted: True if commits are counted, which takes a process for each changed file.
    """
    live = [hit.observation for hit in hits if not hit.observation.purged]
    # Captured edits and commits are history.
    saved = [(each, change) for each in live if each.kind is Kind.NOTE for change in each.changes]
    states: dict[UUID, dict[str, FileState]] = {}
    looked = saved[:FILES]
    found = tree.freshness(root, [change for _, change in looked]) if looked else ()
    for (observation, change), state in zip(looked, found, strict=True):
        if state is not None:
            if counted and state.freshness is Freshness.CHANGED:
                commits = tree.commits_since(root, state.path or change.path, observation.created_at)
                state = state._replace(commits=commits)  # noqa: PLW2901 - the whole state
            states.setdefault(observation.id, {})[change.path] = state
    return states


def branches(tree: WorkingTree, root: Path, hits: Sequence[Hit]) -> Mapping[UUID, str]:
    """Return what is said of live hits that were saved on a branch whose work is not here, by their ids."""
    live = [hit.observation for hit in hits if not hit.observation.purged and hit.observation.branch]
    apart = tree.unmerged(root, {each.checkout for each in live}) if live else {}
    return {
        each.id: each.checkout.saved_on(deleted=apart[each.checkout]) for each in live if each.checkout in apart
    }

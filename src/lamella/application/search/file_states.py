"""Look whether the files of memories are as they were when these were saved."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import UUID

from lamella.domain.memories.freshness import FileState, Freshness
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
    saved = [(each, change.path, change.version) for each in live for change in each.changes if change.version]
    states: dict[UUID, dict[str, FileState]] = {}
    looked = saved[:FILES]
    found = tree.freshness(root, [(path, version) for _, path, version in looked]) if looked else ()
    for (observation, path, _), freshness in zip(looked, found, strict=True):
        if freshness is not None:
            commits = None
            if counted and freshness is Freshness.CHANGED:
                commits = tree.commits_since(root, path, observation.created_at)
            states.setdefault(observation.id, {})[path] = FileState(freshness, commits)
    return states

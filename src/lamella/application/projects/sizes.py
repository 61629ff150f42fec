"""Measure the size of projects."""

from collections.abc import Iterator
from datetime import UTC, datetime

from attrs import define, frozen

from lamella.domain.projects.project import Project
from lamella.domain.transactions.catalogue import ProjectLook
from lamella.domain.transactions.merging import decide_split
from lamella.ports.storage.storage import Capability, Storage

_EVER = datetime.min.replace(tzinfo=UTC)
_PAGE = 500
"""Number of memories to read at a time."""


@frozen(kw_only=True)
class ProjectSize:
    """Size of a project.

    Attributes:
        project: The project.
        live: Number of live memories; 0 after a merge has moved them.
        purged: Number of purged memories.
        messages: Number of messages of conversations.
    """

    project: Project
    live: int = 0
    purged: int = 0
    messages: int = 0


@define
class MeasureProjects:
    """Count the memories and messages of every project."""

    storage: Storage

    def __call__(self) -> Iterator[ProjectSize]:
        """Yield every project with its size, sorted by project name."""
        for each in self.storage.registry.all():
            yield ProjectSize(project=each) if each.moved_to else self.of(each)

    def of(self, project: Project) -> ProjectSize:
        """Return the size of one project."""
        counts = self.storage.search(project.id).kinds()
        return ProjectSize(
            project=project,
            live=sum(counts.live.values()),
            purged=sum(counts.purged.values()),
            messages=messages_of(self.storage, project.id),
        )


def messages_of(storage: Storage, project: str) -> int:
    """Return the number of messages of a project. Return 0 if the storage keeps no conversations."""
    if Capability.CONVERSATIONS not in storage.capabilities:
        return 0
    return storage.conversations(project).counts(since=[_EVER])[0]


def moving(storage: Storage, old: str, *, split: bool) -> int:
    """Return the number of memories, purged or not, that a merge of `old` would move.

    If `split` is true, return the number that a split of `old` would move.
    """
    if not split:
        return storage.search(old).count(include_purged=True)
    plan = decide_split(old, storage.registry.look(ProjectLook(ids=(old,), families=True)))
    counted, after = 0, 0
    while page := storage.observations(plan.home).page(after=after, limit=_PAGE):
        counted += sum(each.observation.origin in plan.origins for each in page)
        after = page[-1].observation.sequence
    return counted
